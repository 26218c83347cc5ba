/* barrier.c — barriers inside one region, timed by the primary thread. The first barrier is outside
 * the timing: it absorbs the fork. */
#include "openmp.h"

static double barriers(long count, void* context)
{
    const int threads = *(const int*)context;
    double took = 0;
#pragma omp parallel num_threads(threads)
    {
        double start = 0;
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            start = measure_now();
        for (long i = 0; i < count; ++i) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 0)
            took = measure_now() - start;
    }
    return took;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    measure_run("barrier", "us", 1e6, &options, barriers, &options.threads, openmp_extra(""));
    return 0;
}
