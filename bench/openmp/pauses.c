/* pauses.c — a region after a serial part: what it costs to get a team back that has had nothing
 * to do for some time. Only the region is timed. Most numerical programs have such parts between
 * their loops; a runtime either lets the team spin meanwhile or wakes it. */
#include "openmp.h"

static int threads;

static double regions(long count, void* context)
{
    const double pause = *(const double*)context;
    double took = 0;
    for (long i = 0; i < count; ++i) {
        double start = measure_now();
        while (measure_now() - start < pause) {
        }
        start = measure_now();
#pragma omp parallel num_threads(threads)
        __asm__ volatile("" ::: "memory"); /* the region must not be deleted */
        took += measure_now() - start;
    }
    return took;
}

int main(int argc, char** argv)
{
    static const int microseconds[] = {100, 300, 1000, 3000, 10000};
    struct measure_options options;
    measure_parse(&options, argc, argv);
    threads = options.threads;
    omp_set_dynamic(0);
    options.sample_time = 0; /* a region each: a long sample would take seconds of pauses */
    for (size_t i = 0; i < sizeof microseconds / sizeof *microseconds; ++i) {
        char name[32];
        double pause = microseconds[i] * 1e-6;
        snprintf(name, sizeof name, "pause-%dus", microseconds[i]);
        if (*options.what == 0 || !strcmp(options.what, name))
            measure_run(name, "us", 1e6, &options, regions, &pause, openmp_extra(""));
    }
    return 0;
}
