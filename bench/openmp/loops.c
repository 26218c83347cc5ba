/* loops.c — what a construct costs inside a running region: a loop per schedule (with its closing
 * barrier), an iteration under dynamic, a critical section, a single. Each is timed by the primary
 * thread; bodies are empty, so the figures are overhead alone. */
#include "openmp.h"

struct run {
    int threads;
};

/* Defines a measure_body that runs `construct` count times in every member of one team. */
#define IN_REGION(name, construct)                                                              \
    static double name(long count, void* context)                                               \
    {                                                                                           \
        const struct run* run = (const struct run*)context;                                     \
        double took = 0;                                                                        \
        _Pragma("omp parallel num_threads(run->threads)")                                       \
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

#define NOTHING __asm__ volatile("" ::: "memory")

enum { iterations = 1024 };

IN_REGION(loop_static,
          _Pragma("omp for schedule(static)") for (int k = 0; k < iterations; ++k) NOTHING;)
IN_REGION(loop_static_chunk,
          _Pragma("omp for schedule(static, 1)") for (int k = 0; k < iterations; ++k) NOTHING;)
IN_REGION(loop_dynamic,
          _Pragma("omp for schedule(dynamic, 1)") for (int k = 0; k < iterations; ++k) NOTHING;)
IN_REGION(loop_guided,
          _Pragma("omp for schedule(guided)") for (int k = 0; k < iterations; ++k) NOTHING;)
IN_REGION(critical, _Pragma("omp critical") { NOTHING; })
IN_REGION(single, _Pragma("omp single") { NOTHING; })

static double reduction(long count, void* context)
{
    const struct run* run = (const struct run*)context;
    long sum = 0;
    double start = measure_now();
    for (long i = 0; i < count; ++i) {
#pragma omp parallel num_threads(run->threads) reduction(+ : sum)
        sum += 1;
    }
    double took = measure_now() - start;
    if (sum != count * run->threads) {
        fprintf(stderr, "loops: a reduction over %ld regions of %d threads gave %ld\n", count,
                run->threads, sum);
        exit(1);
    }
    return took;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    struct run run = {options.threads};
    const char* extra = openmp_extra("");
    measure_run("for-static", "us", 1e6, &options, loop_static, &run, extra);
    measure_run("for-static-1", "us", 1e6, &options, loop_static_chunk, &run, extra);
    measure_run("for-dynamic-1", "ns/iteration", 1e9 / iterations, &options, loop_dynamic, &run,
                extra);
    measure_run("for-guided", "us", 1e6, &options, loop_guided, &run, extra);
    measure_run("critical", "ns/entry", 1e9 / options.threads, &options, critical, &run, extra);
    measure_run("single", "us", 1e6, &options, single, &run, extra);
    measure_run("reduction", "us", 1e6, &options, reduction, &run, extra);
    return 0;
}
