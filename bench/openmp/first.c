/* first.c — the first parallel region of a process, empty: the cost of making a team. One sample
 * per process; `bench/run --rounds 50 beginnings.first` takes fifty. */
#include "openmp.h"

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    const double start = measure_now();
#pragma omp parallel num_threads(options.threads)
    __asm__ volatile("" ::: "memory"); /* the region must not be deleted */
    double took = (measure_now() - start) * 1e3;
    measure_print("first", "ms", &options, &took, 1, 1, openmp_extra(""));
    return 0;
}
