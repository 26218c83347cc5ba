/* nested.c — a parallel loop inside a parallel loop, 8 x 8 items of 3 us: a program that calls a
 * parallel library from its own parallel loop. Both levels ask for 8 threads; a runtime that uses
 * 64 OS threads for that is slow here.
 *
 * The figure is a ratio to the ideal: 64 items spread over the CPUs with no overhead. Items are
 * work, not time, and the ideal uses the item as measured in this process, so the CPU's momentary
 * speed cancels. --threads is ignored.
 *
 * "nested-one": one of two threads meets inner regions of 8, with a barrier in the middle, while
 * the other one has nothing to do: 16 items. */
#include "openmp.h"

enum { outer = 8, inner = 8 };
static const double item_seconds = 3e-6;

static double nests(long count, void* context)
{
    const long steps = *(const long*)context;
    double start = measure_now();
    for (long repetition = 0; repetition < count; ++repetition) {
#pragma omp parallel for num_threads(outer)
        for (int i = 0; i < outer; ++i) {
#pragma omp parallel for num_threads(inner)
            for (int j = 0; j < inner; ++j)
                measure_work(steps);
        }
    }
    return measure_now() - start;
}

static double nests_of_one(long count, void* context)
{
    const long steps = *(const long*)context;
    double took = 0;
#pragma omp parallel num_threads(2)
#pragma omp master
    {
        double start = measure_now();
        for (long repetition = 0; repetition < count; ++repetition) {
#pragma omp parallel num_threads(inner)
            {
                measure_work(steps);
#pragma omp barrier
                measure_work(steps);
            }
        }
        took = measure_now() - start;
    }
    return took;
}

/* Seconds for all items one after another, the fastest of some trials. */
static double serial(long steps)
{
    double best = 1e9;
    for (int trial = 0; trial < 100; ++trial) {
        double start = measure_now();
        for (int i = 0; i < outer * inner; ++i)
            measure_work(steps);
        double took = measure_now() - start;
        if (took < best)
            best = took;
    }
    return best;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    omp_set_max_active_levels(4);
    options.threads = outer;
    long steps = measure_steps(item_seconds);
    double ideal = serial(steps) / measure_cpus();
    char more[160];
    snprintf(more, sizeof more, ",\"ideal_us\":%.6g,\"item_us\":%.6g,\"cpus\":%d", ideal * 1e6,
             ideal * 1e6 * measure_cpus() / (outer * inner), measure_cpus());
    measure_run("nested", "x ideal", 1 / ideal, &options, nests, &steps, openmp_extra(more));
    ideal *= 2.0 * inner / (outer * inner);
    snprintf(more, sizeof more, ",\"ideal_us\":%.6g,\"item_us\":%.6g,\"cpus\":%d", ideal * 1e6,
             ideal * 1e6 * measure_cpus() / (2 * inner), measure_cpus());
    measure_run("nested-one", "x ideal", 1 / ideal, &options, nests_of_one, &steps,
                openmp_extra(more));
    return 0;
}
