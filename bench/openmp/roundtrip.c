/* roundtrip.c — the time that the machine needs for two threads to answer each other: two members
 * of a team change a number in turns, without the runtime. A lower bound for regions and barriers
 * of two. It depends on where the host has placed the two CPUs, which may change from minute to
 * minute on a virtual machine. */
#include "openmp.h"

#include <stdatomic.h>

static _Alignas(128) atomic_long ping;
static _Alignas(128) atomic_long pong;

static double round_trips(long count, void* context)
{
    (void)context;
    double took = 0;
    atomic_store(&ping, 0);
    atomic_store(&pong, 0);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            const double start = measure_now();
            for (long i = 1; i <= count; ++i) {
                atomic_store_explicit(&ping, i, memory_order_release);
                while (atomic_load_explicit(&pong, memory_order_acquire) != i) {
                }
            }
            took = measure_now() - start;
        } else {
            for (long i = 1; i <= count; ++i) {
                while (atomic_load_explicit(&ping, memory_order_acquire) != i) {
                }
                atomic_store_explicit(&pong, i, memory_order_release);
            }
        }
    }
    return took;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    measure_run("roundtrip", "us", 1e6, &options, round_trips, NULL, openmp_extra(""));
    return 0;
}
