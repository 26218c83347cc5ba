/* mixed_part.c — a plug-in with one parallel region, for mixed.c; built by each compiler. */
#include <dlfcn.h>
#include <omp.h>

#include "../measure/measure.h"

/* Runs `count` regions of `threads` members with `steps` of work for each, and returns the seconds
 * they took. */
double part_regions(int threads, long steps, long count);
double part_regions(int threads, long steps, long count)
{
    double start = measure_now();
    for (long i = 0; i < count; ++i) {
#pragma omp parallel num_threads(threads)
        measure_work(steps);
    }
    return measure_now() - start;
}

/* The file of the OpenMP runtime that this plug-in uses. */
const char* part_library(void);
const char* part_library(void)
{
    Dl_info info;
    return dladdr((void*)omp_get_max_threads, &info) && info.dli_fname ? info.dli_fname : "";
}
