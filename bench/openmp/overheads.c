/* overheads.c — what every construct costs, one measure each, after the method of the EPCC OpenMP
 * microbenchmarks: the construct with an empty body, many times over; here without subtracting a
 * sequential reference, whose bodies are empty too. Those inside a region are executed by all
 * members and timed by the primary thread; a loop has 64 iterations for each member. */
#include "openmp.h"

static int threads;
static volatile long sink;

#define NOTHING __asm__ volatile("" ::: "memory")
#define PRAGMA(text) _Pragma(#text)

/* A measure_body that runs `construct` count times in every member of one team. */
#define IN_REGION(name, construct)                                                              \
    static double name(long count, void* context)                                               \
    {                                                                                           \
        (void)context;                                                                          \
        const int iterations = 64 * threads;                                                    \
        double took = 0;                                                                        \
        (void)iterations;                                                                       \
        _Pragma("omp parallel num_threads(threads)")                                            \
        {                                                                                       \
            double start = 0;                                                                   \
            _Pragma("omp barrier") if (omp_get_thread_num() == 0) start = measure_now();        \
            for (long i = 0; i < count; ++i) {                                                  \
                construct                                                                       \
            }                                                                                   \
            _Pragma("omp barrier") if (omp_get_thread_num() == 0) took = measure_now() - start; \
        }                                                                                       \
        return took;                                                                            \
    }

/* One that executes `construct`, which holds a region, count times. */
#define FROM_OUTSIDE(name, construct)             \
    static double name(long count, void* context) \
    {                                             \
        (void)context;                            \
        const int iterations = 64 * threads;      \
        (void)iterations;                         \
        double start = measure_now();             \
        for (long i = 0; i < count; ++i) {        \
            construct                             \
        }                                         \
        return measure_now() - start;             \
    }

#define ITERATIONS for (int k = 0; k < iterations; ++k)
#define LOOP(name, ...) IN_REGION(name, PRAGMA(omp for schedule(__VA_ARGS__)) ITERATIONS NOTHING;)

static char copied[729 * sizeof(int)];
#pragma omp threadprivate(copied)
static omp_lock_t lock;
static long shared_count;

FROM_OUTSIDE(parallel, PRAGMA(omp parallel num_threads(threads)) NOTHING;)
FROM_OUTSIDE(parallel_for, PRAGMA(omp parallel for num_threads(threads)) ITERATIONS NOTHING;)
FROM_OUTSIDE(reduction, long sum = 0;
             PRAGMA(omp parallel num_threads(threads) reduction(+ : sum)) sum += 1; sink = sum;)
FROM_OUTSIDE(copyin, PRAGMA(omp parallel num_threads(threads) copyin(copied)) NOTHING;)
FROM_OUTSIDE(firstprivate, char a[sizeof copied]; a[0] = 1;
             PRAGMA(omp parallel num_threads(threads) firstprivate(a)) sink = a[0];)
LOOP(for_static, static)
LOOP(for_static_1, static, 1)
LOOP(for_static_8, static, 8)
LOOP(for_dynamic_1, dynamic, 1)
LOOP(for_dynamic_8, dynamic, 8)
LOOP(for_dynamic_64, dynamic, 64)
LOOP(for_guided_1, guided, 1)
LOOP(for_guided_8, guided, 8)
LOOP(for_runtime, runtime)
IN_REGION(for_nowait, PRAGMA(omp for schedule(static) nowait) ITERATIONS NOTHING;)
IN_REGION(for_reduction, long sum = 0;
          PRAGMA(omp for reduction(+ : shared_count)) ITERATIONS shared_count += 1; (void)sum;)
IN_REGION(barrier, PRAGMA(omp barrier))
IN_REGION(single, PRAGMA(omp single) NOTHING;)
IN_REGION(copyprivate, long value = 0; PRAGMA(omp single copyprivate(value)) value = 1;
          (void)value;)
IN_REGION(master, PRAGMA(omp master) NOTHING;)
IN_REGION(
    sections, PRAGMA(omp sections) {
        PRAGMA(omp section) NOTHING;
        PRAGMA(omp section) NOTHING;
    })
IN_REGION(critical, PRAGMA(omp critical) NOTHING;)
IN_REGION(locked, omp_set_lock(&lock); NOTHING; omp_unset_lock(&lock);)
IN_REGION(atomic, PRAGMA(omp atomic) shared_count += 1;)
/* A loop whose iterations are all ordered; the cost is that of one iteration. */
static double ordered(long count, void* context)
{
    (void)context;
    double start = measure_now();
#pragma omp parallel for ordered schedule(static, 1) num_threads(threads)
    for (long i = 0; i < count; ++i) {
#pragma omp ordered
        NOTHING;
    }
    return measure_now() - start;
}

/* Tasks: all members make them, one makes them, undeferred ones, with a taskwait each, taskloops, a
 * chain of dependences. */
IN_REGION(task_all, PRAGMA(omp task) NOTHING;)
IN_REGION(task_if_false, PRAGMA(omp task if (0)) NOTHING;)
IN_REGION(task_wait, PRAGMA(omp task) NOTHING; PRAGMA(omp taskwait))
IN_REGION(task_barrier, PRAGMA(omp task) NOTHING; PRAGMA(omp barrier))
IN_REGION(task_group, PRAGMA(omp taskgroup) { PRAGMA(omp task) NOTHING; })

#define BY_ONE(name, construct)                          \
    static double name(long count, void* context)        \
    {                                                    \
        (void)context;                                   \
        const int iterations = 64 * threads;             \
        double took = 0;                                 \
        (void)iterations;                                \
        _Pragma("omp parallel num_threads(threads)")     \
        {                                                \
            _Pragma("omp barrier") _Pragma("omp master") \
            {                                            \
                double start = measure_now();            \
                _Pragma("omp taskgroup")                 \
                {                                        \
                    for (long i = 0; i < count; ++i) {   \
                        construct                        \
                    }                                    \
                }                                        \
                took = measure_now() - start;            \
            }                                            \
        }                                                \
        return took;                                     \
    }

BY_ONE(task_one, PRAGMA(omp task) NOTHING;)
BY_ONE(task_depend, PRAGMA(omp task depend(inout : shared_count)) NOTHING;)
BY_ONE(taskloop_1, PRAGMA(omp taskloop grainsize(1)) for (int k = 0; k < 64; ++k) NOTHING;)
BY_ONE(taskloop,
       PRAGMA(omp taskloop) for (unsigned long k = 0; k < (unsigned long)iterations; ++k) NOTHING;)

static const struct {
    const char* name;
    measure_body body;
} measures[] = {
#define MEASURE(name) {#name, name}
    MEASURE(parallel),      MEASURE(parallel_for),  MEASURE(reduction),      MEASURE(copyin),
    MEASURE(firstprivate),  MEASURE(for_static),    MEASURE(for_static_1),   MEASURE(for_static_8),
    MEASURE(for_dynamic_1), MEASURE(for_dynamic_8), MEASURE(for_dynamic_64), MEASURE(for_guided_1),
    MEASURE(for_guided_8),  MEASURE(for_runtime),   MEASURE(for_nowait),     MEASURE(for_reduction),
    MEASURE(barrier),       MEASURE(single),        MEASURE(copyprivate),    MEASURE(master),
    MEASURE(sections),      MEASURE(critical),      MEASURE(locked),         MEASURE(atomic),
    MEASURE(ordered),       MEASURE(task_all),      MEASURE(task_one),       MEASURE(task_if_false),
    MEASURE(task_wait),     MEASURE(task_barrier),  MEASURE(task_group),     MEASURE(task_depend),
    MEASURE(taskloop_1),    MEASURE(taskloop)};

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    threads = options.threads;
    omp_set_dynamic(0);
    omp_set_schedule(omp_sched_dynamic, 1);
    omp_init_lock(&lock);
    for (size_t i = 0; i < sizeof measures / sizeof *measures; ++i) {
        if (*options.what == 0 || !strcmp(options.what, measures[i].name))
            measure_run(measures[i].name, "us", 1e6, &options, measures[i].body, NULL,
                        openmp_extra(""));
    }
    omp_destroy_lock(&lock);
    return 0;
}
