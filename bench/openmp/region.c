/* region.c — an empty parallel region: fork, nothing, join. The team is the same every time, as in
 * a program that opens a region per loop. */
#include "openmp.h"

static double regions(long count, void* context)
{
    const int threads = *(const int*)context;
    double start = measure_now();
    for (long i = 0; i < count; ++i) {
#pragma omp parallel num_threads(threads)
        __asm__ volatile("" ::: "memory"); /* the region must not be deleted */
    }
    return measure_now() - start;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    measure_run("region", "us", 1e6, &options, regions, &options.threads, openmp_extra(""));
    return 0;
}
