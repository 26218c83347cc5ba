/* CP_PROFILE=FILE: calls and times of each region, by its place in the source, written when the
 * program ends. One line for each place, separated by tabs; `cpt c --use-profile` reads it. */
#include "regions.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct entry {
    const char* place;
    unsigned long calls;
    double wall, work;
    unsigned members;
};
static struct {
    pthread_mutex_t lock;
    struct entry* all;
    unsigned long n, room;
    pid_t process; /* that writes the profile, and no forked child of it */
    const char* file;
} profile = {.lock = PTHREAD_MUTEX_INITIALIZER};

int cp_profile_wanted(void)
{
    const char* const file = getenv("CP_PROFILE");
    if (file == NULL || *file == 0) {
        return 0;
    }
    profile.file = strdup(file);
    profile.process = getpid();
    return profile.file != NULL;
}

double cp_profile_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cp_profile_add(const char* place, double wall, double work, unsigned members)
{
    pthread_mutex_lock(&profile.lock);
    struct entry* e = profile.all;
    struct entry* const end = e + profile.n;
    /* There are few places, so a list will do; units may have different strings for the same
     * place. */
    while (e != end && e->place != place && strcmp(e->place, place) != 0) {
        ++e;
    }
    if (e == end) {
        if (profile.n == profile.room) {
            const unsigned long room = profile.room == 0 ? 64 : 2 * profile.room;
            struct entry* const more = realloc(profile.all, room * sizeof *more);
            if (more == NULL) {
                pthread_mutex_unlock(&profile.lock);
                return;
            }
            profile.all = more;
            profile.room = room;
        }
        e = &profile.all[profile.n++];
        *e = (struct entry){.place = strdup(place)};
    }
    ++e->calls;
    e->wall += wall;
    e->work += work;
    e->members = members > e->members ? members : e->members;
    pthread_mutex_unlock(&profile.lock);
}

static int by_time(const void* a, const void* b)
{
    const double x = ((const struct entry*)a)->wall, y = ((const struct entry*)b)->wall;
    return (x < y) - (x > y);
}

__attribute__((destructor(101))) static void write_profile(void)
{
    if (profile.file == NULL || profile.process != getpid()) {
        return;
    }
    pthread_mutex_lock(&profile.lock);
    const int to_terminal = strcmp(profile.file, "-") == 0;
    FILE* const f = to_terminal ? stderr : fopen(profile.file, "w");
    if (f == NULL) {
        fprintf(stderr, "cpt: error: cannot write the profile '%s': %s\n", profile.file,
                strerror(errno));
        pthread_mutex_unlock(&profile.lock);
        return;
    }
    qsort(profile.all, profile.n, sizeof *profile.all, by_time);
    fprintf(f,
            "# cpt profile 1, runtime %s\n"
            "# place\tcalls\tseconds\tseconds of all members\tmembers at most\n",
            cp_name());
    for (unsigned long i = 0; i < profile.n; ++i) {
        const struct entry* const e = &profile.all[i];
        fprintf(f, "%s\t%lu\t%.9f\t%.9f\t%u\n", e->place, e->calls, e->wall, e->work, e->members);
    }
    if (ferror(f) || (!to_terminal && fclose(f) != 0)) {
        fprintf(stderr, "cpt: error: cannot write the profile '%s': %s\n", profile.file,
                strerror(errno));
    }
    pthread_mutex_unlock(&profile.lock);
}
