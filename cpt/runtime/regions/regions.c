/* Entry into a parallel region: how many light threads it gets, and on which streams. */
#include "regions.h"

#include "../include/cp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CP __attribute__((visibility("default")))

static struct {
    unsigned least, most; /* CP_MIN_THREADS, CP_MAX_THREADS */
    int profiles;
    int used; /* whether these settings have to be read at each region */
} settings;

static unsigned number(const char* name)
{
    const char* const text = getenv(name);
    if (text == NULL || *text == 0) {
        return 0;
    }
    char* end = NULL;
    const unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != 0 || n < 1 || n > 65536) {
        fprintf(stderr, "cpt: error: %s is '%s'; allowed: a number from 1 to 65536\n", name, text);
        _exit(1);
    }
    return (unsigned)n;
}

__attribute__((constructor(101))) static void begin(void)
{
    settings.least = number("CP_MIN_THREADS");
    settings.most = number("CP_MAX_THREADS");
    if (settings.most != 0 && settings.least > settings.most) {
        fprintf(stderr,
                "cpt: error: CP_MIN_THREADS is %u and CP_MAX_THREADS %u; allowed: one that is not "
                "above the other\n",
                settings.least, settings.most);
        _exit(1);
    }
    settings.profiles = cp_profile_wanted();
    settings.used = settings.least != 0 || settings.most != 0 || settings.profiles;
}

static void use(void)
{
    /* relaxed: a thread that does not see it yet has set nothing itself. */
    __atomic_store_n(&settings.used, 1, __ATOMIC_RELAXED);
}

/* Never exceeds num_threads, as OpenMP demands. */
static unsigned within(unsigned asked, unsigned least, unsigned most)
{
    unsigned n = asked != 0 ? asked : cp_default_threads();
    if (asked == 0 && n < least) {
        n = least;
    }
    return most != 0 && n > most ? most : n;
}

/* Checks a list of nodes: 0, or the error. */
static int wrong_nodes(const char* list)
{
    while (1) {
        char* end = NULL;
        if (*list < '0' || *list > '9') {
            return EINVAL;
        }
        const unsigned long first = strtoul(list, &end, 10);
        unsigned long last = first;
        if (*end == '-' && end[1] >= '0' && end[1] <= '9') {
            last = strtoul(end + 1, &end, 10);
        }
        if (last < first || last > 65535) {
            return EINVAL;
        }
        for (unsigned long n = first; n <= last; ++n) {
            char path[64];
            snprintf(path, sizeof path, "/sys/devices/system/node/node%lu", n);
            /* If the kernel names no nodes, there is one. */
            if (access("/sys/devices/system/node", F_OK) == 0 ? access(path, F_OK) != 0 : n != 0) {
                return ENODEV;
            }
        }
        if (*end == 0) {
            return 0;
        }
        if (*end != ',') {
            return EINVAL;
        }
        list = end + 1;
    }
}

static struct cp_zone* open_zone(struct cp_zone* outer, unsigned streams, const char* numas)
{
    struct cp_zone* const zone = malloc(sizeof *zone);
    if (zone == NULL) {
        return NULL;
    }
    /* An inner zone has no more streams than the outer one. */
    zone->outer = outer;
    zone->streams = outer != NULL && outer->streams != 0 &&
                            (streams == 0 || streams > outer->streams)
                        ? outer->streams
                        : streams;
    zone->part = cp_open_part(numas);
    if (zone->part == NULL && numas != NULL) {
        static int said;
        if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED)) { /* relaxed: a flag only */
            fprintf(stderr, "cpt: NUMA nodes of a region have no effect on the runtime %s%s\n",
                    cp_name(),
                    strcmp(cp_name(), "tbb") == 0 ? " unless CP_NUMAS names them, too"
                                                  : "; on tbb they have, with CP_NUMAS");
        }
    }
    return zone;
}

static void close_zone(struct cp_zone* zone)
{
    if (zone->part != NULL) {
        cp_close_part(zone->part);
    }
    free(zone);
}

CP unsigned __cp_hint(unsigned least, unsigned most, unsigned streams, const char* numas,
                      unsigned asked)
{
    struct cp_caller* const me = cp_calling();
    use();
    me->bounded = least != 0 || most != 0;
    if (me->bounded) {
        asked = within(asked, least, most);
    }
    if (numas != NULL && wrong_nodes(numas) != 0) {
        static int said;
        if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED)) { /* relaxed: a flag only */
            fprintf(stderr,
                    "cpt: there are no NUMA nodes '%s', which '#pragma cp' names; ignored\n",
                    numas);
        }
        numas = NULL;
    }
    if (streams != 0 || numas != NULL) {
        me->next = open_zone(me->zone, streams, numas);
    }
    return asked;
}

struct call {
    void (*body)(void*);
    void* frame;
    struct cp_zone* zone;
    double work; /* of all members, under the lock */
    unsigned members;
    int lock;
};

static void member(void* argument)
{
    struct call* const c = argument;
    struct cp_caller* me = cp_calling();
    const struct cp_caller before = *me;
    *me = (struct cp_caller){.zone = c->zone};
    const double from = settings.profiles ? cp_profile_now() : 0;
    c->body(c->frame);
    if (settings.profiles) {
        const double took = cp_profile_now() - from;
        /* acquire, release: the lock guards the two words. */
        while (__atomic_exchange_n(&c->lock, 1, __ATOMIC_ACQUIRE)) {
        }
        c->work += took;
        ++c->members;
        __atomic_store_n(&c->lock, 0, __ATOMIC_RELEASE);
    }
    me = cp_calling(); /* the caller may run on another OS thread by now, but is the same thread of
                          the program */
    *me = before;
}

CP void __cp_parallel(void (*body)(void*), void* frame, unsigned threads, unsigned bind,
                      const char* place)
{
    if (!__atomic_load_n(&settings.used, __ATOMIC_RELAXED)) { /* relaxed: as in use() */
        cp_region(body, frame, threads, bind, NULL);
        return;
    }
    struct cp_caller* const me = cp_calling();
    struct cp_zone *const own = me->next, *const zone = own != NULL ? own : me->zone;
    const int bounded = me->bounded;
    me->next = NULL;
    me->bounded = 0;
    const unsigned least = me->has_bounds ? me->least : settings.least;
    const unsigned most = me->has_bounds ? me->most : settings.most;
    if (!bounded && (least != 0 || most != 0)) {
        threads = within(threads, least, most);
    }
    if (zone != NULL && zone->streams != 0) {
        threads = within(threads, 0, zone->streams);
    }
    if (zone == NULL && !settings.profiles) {
        cp_region(body, frame, threads, bind, NULL);
        return;
    }
    struct call c = {body, frame, zone, 0, 0, 0};
    const double from = settings.profiles ? cp_profile_now() : 0;
    cp_region(member, &c, threads, bind, zone);
    if (settings.profiles) {
        cp_profile_add(place, cp_profile_now() - from, c.work, c.members);
    }
    if (own != NULL) {
        close_zone(own);
    }
}

CP int cp_zone_begin(unsigned streams, const char* numas)
{
    struct cp_caller* const me = cp_calling();
    const int wrong = streams > 1024 ? EINVAL : numas != NULL ? wrong_nodes(numas) : 0;
    struct cp_zone* const zone = wrong != 0 ? NULL : open_zone(me->zone, streams, numas);
    if (zone == NULL) {
        errno = wrong != 0 ? wrong : ENOMEM;
        return -1;
    }
    use();
    me->zone = zone;
    ++me->opened;
    return 0;
}

CP int cp_zone_end(void)
{
    struct cp_caller* const me = cp_calling();
    if (me->opened == 0) {
        return -1;
    }
    struct cp_zone* const zone = me->zone;
    me->zone = zone->outer;
    --me->opened;
    close_zone(zone);
    return 0;
}

CP int cp_set_bounds(unsigned least, unsigned most)
{
    if (most != 0 && least > most) {
        errno = EINVAL;
        return -1;
    }
    struct cp_caller* const me = cp_calling();
    me->least = least;
    me->most = most;
    me->has_bounds = 1;
    use();
    return 0;
}

CP void cp_get_bounds(unsigned* least, unsigned* most)
{
    const struct cp_caller* const me = cp_calling();
    *least = me->has_bounds ? me->least : settings.least;
    *most = me->has_bounds ? me->most : settings.most;
}

CP const char* cp_runtime_name(void)
{
    return cp_name();
}
