/* depend_kinds.c — random tasks with several dependences each, also of several kinds on the same
 * variable, handed over as the compilers do: by gcc's arrays in both layouts, by clang's lists.
 * Tasks that the standard orders must not overlap, those of a mutexinoutset neither. */
#include "check.h"

#include <omp.h>
#include <stdint.h>

enum { variables = 3, tasks = 60, most_items = 4, rounds = 9 };
enum { in = 1, out = 2, inout = 3, mutexinoutset = 4, inoutset = 5, everything = 6, kinds };

struct item {
    int variable, kind;
};

static struct task {
    int count;
    struct item items[most_items];
    int begun, ended;
} all[tasks];
static int clock_ticks;
static char variable[variables + 1];

static void body(struct task* t)
{
    __atomic_store_n(&t->begun, __atomic_add_fetch(&clock_ticks, 1, __ATOMIC_SEQ_CST),
                     __ATOMIC_RELAXED);
    const unsigned index = t - all;
    if (index % 3 == 0) {
        usleep(index % 7 * 40);
    }
    __atomic_store_n(&t->ended, __atomic_add_fetch(&clock_ticks, 1, __ATOMIC_SEQ_CST),
                     __ATOMIC_RELAXED);
}

static void* address_of(struct item i)
{
    return &variable[i.variable];
}

#ifdef __clang__

struct dependence {
    void* address;
    size_t length;
    uint8_t flags;
};
struct clang_task {
    void* shared;
    int (*body)(int, void*);
    int part;
    void* data[2];
    struct task* what;
};
struct clang_task* __kmpc_omp_task_alloc(void*, int, int, size_t, size_t, void*);
int __kmpc_omp_task_with_deps(void*, int, void*, int, const struct dependence*, int, void*);
int __kmpc_global_thread_num(void*);
static struct {
    int reserved, flags, more[2];
    const char* text;
} place = {0, 2, {0, 0}, ";unknown;unknown;0;0;;"};

static int clang_body(int global, void* argument)
{
    (void)global;
    body(((struct clang_task*)argument)->what);
    return 0;
}

static void submit(struct task* t, int layout)
{
    static const uint8_t flags[kinds] = {
        [in] = 1, [out] = 2, [inout] = 3, [inoutset] = 8, [everything] = 0x80, [mutexinoutset] = 4};
    (void)layout;
    struct dependence list[most_items] = {{0}};
    for (int i = 0; i < t->count; ++i) {
        list[i].address = t->items[i].kind == everything ? NULL : address_of(t->items[i]);
        list[i].flags = flags[t->items[i].kind];
    }
    const int global = __kmpc_global_thread_num(&place);
    struct clang_task* made = __kmpc_omp_task_alloc(&place, global, 1, sizeof *made, 0,
                                                    (void*)clang_body);
    made->what = t;
    __kmpc_omp_task_with_deps(&place, global, made, t->count, list, 0, NULL);
}

static int supported(int kind)
{
    (void)kind;
    return 1;
}

#else

void GOMP_task(void (*)(void*), void*, void (*)(void*, void*), long, long, _Bool, unsigned, void**,
               int, ...);

static void gcc_body(void* argument)
{
    body(*(struct task**)argument);
}

static int is_writer(int kind)
{
    return kind == out || kind == inout || kind == everything;
}

static void submit(struct task* t, int layout)
{
    void* clause[5 + most_items] = {NULL};
    void* objects[most_items][2];
    size_t at = 0;
    int plain = 1;
    for (int i = 0; i < t->count; ++i) {
        plain = plain && t->items[i].kind != mutexinoutset && t->items[i].kind != inoutset;
        objects[i][0] = t->items[i].kind == everything ? NULL : address_of(t->items[i]);
        objects[i][1] = (void*)(intptr_t)(t->items[i].kind == everything ? inout
                                                                         : t->items[i].kind);
    }
    if (layout == 0 && plain) {
        at = 2;
        for (int writes = 1; writes >= 0; --writes) {
            for (int i = 0; i < t->count; ++i) {
                if (is_writer(t->items[i].kind) == writes) {
                    clause[at++] = objects[i][0];
                    clause[1] = (char*)clause[1] + writes;
                }
            }
        }
        clause[0] = (void*)(at - 2);
    } else {
        at = 5;
        clause[1] = (void*)(intptr_t)t->count;
        if (layout == 2) { /* objects only */
            for (int i = 0; i < t->count; ++i) {
                clause[at++] = objects[i];
            }
        } else {
            for (int group = 0; group < 4; ++group) {
                for (int i = 0; i < t->count; ++i) {
                    const int kind = t->items[i].kind;
                    const int its_group = is_writer(kind)         ? 0
                                          : kind == mutexinoutset ? 1
                                          : kind == in            ? 2
                                                                  : 3;
                    if (its_group == group) {
                        clause[at++] = group == 3 ? (void*)objects[i] : objects[i][0];
                        if (group < 3) {
                            clause[2 + group] = (char*)clause[2 + group] + 1;
                        }
                    }
                }
            }
        }
    }
    GOMP_task(gcc_body, &t, NULL, sizeof t, sizeof t, 1, 8, clause, 0, NULL);
}

/* libgomp 12 knows neither. */
static int supported(int kind)
{
    return (kind != inoutset && kind != everything) || getenv("UNDER_ARTEL") != NULL;
}

#endif

enum relation { independent, exclusive, ordered };

static enum relation relation_of_items(struct item a, struct item b)
{
    if (a.kind == everything || b.kind == everything) {
        return ordered;
    }
    if (a.variable != b.variable) {
        return independent;
    }
    if (a.kind == b.kind && (a.kind == in || a.kind == inoutset)) {
        return independent;
    }
    return a.kind == mutexinoutset && b.kind == mutexinoutset ? exclusive : ordered;
}

static enum relation relation_of(const struct task* a, const struct task* b)
{
    enum relation most = independent;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            const enum relation r = relation_of_items(a->items[i], b->items[k]);
            most = r > most ? r : most;
        }
    }
    return most;
}

static unsigned random_below(unsigned bound)
{
    static uint64_t state = 12345;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % bound;
}

/* `focus`: kinds that come often, as bits. */
static void play(int threads, unsigned focus, int layout)
{
    clock_ticks = 0;
    for (int i = 0; i < tasks; ++i) {
        struct task* const t = &all[i];
        t->begun = t->ended = 0;
        t->count = 1 + (int)random_below(most_items);
        for (int k = 0; k < t->count; ++k) {
            int kind = 1 + (int)random_below(kinds - 1);
            while (!supported(kind) ||
                   ((focus >> kind & 1) == 0 && random_below(kind == everything ? 100 : 10) != 0)) {
                kind = 1 + (int)random_below(kinds - 1);
            }
            t->items[k] = (struct item){(int)random_below(variables), kind};
        }
    }
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < tasks; ++i) {
        submit(&all[i], layout);
    }
    for (int i = 0; i < tasks; ++i) {
        CHECK(all[i].ended > all[i].begun);
        for (int k = i + 1; k < tasks; ++k) {
            const enum relation r = relation_of(&all[i], &all[k]);
            if (r == ordered) {
                CHECK(all[i].ended < all[k].begun);
            } else if (r == exclusive) {
                CHECK(all[i].ended < all[k].begun || all[k].ended < all[i].begun);
            }
        }
    }
}

int main(void)
{
    static const unsigned focuses[] = {1u << in | 1u << inoutset, 1u << inoutset,
                                       1u << in | 1u << mutexinoutset, 0x7e};
    static const int sizes[] = {1, 2, 5, 16};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (unsigned f = 0; f < sizeof focuses / sizeof *focuses; ++f) {
            for (int round = 0; round < rounds; ++round) {
                play(sizes[s], focuses[f], round % 3);
            }
        }
    }
    return finish("depend_kinds");
}
