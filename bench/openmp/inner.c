/* inner.c — what a region inside a region costs, by the amount of work in it and by whether other
 * threads could help: as with a parallel library that is called from a program's own parallel loop,
 * for some microseconds at a time.
 *
 * inner-<crew>-<work>us: of an outer team with a member for each CPU the first meets `regions`
 * inner ones, each with `work` microseconds of work, spread evenly over --threads members. The
 * others have nothing to do (crew "idle"); or meet half as many, and wait then for the first
 * ("half"); or as many ("busy"). Microseconds for one inner region of the first.
 *
 * inner-loop-<n>: a parallel loop of n iterations with an empty parallel loop of n in each, both by
 * --threads; microseconds for all of it.
 *
 * The environment determines how many levels are active (OMP_MAX_ACTIVE_LEVELS). */
#include "openmp.h"

enum { regions = 20 };

struct setting {
    int threads, others; /* others: regions that each of them meets */
    long steps;          /* of each inner member */
};

static void meet(int count, const struct setting* s)
{
    for (int region = 0; region < count; ++region) {
#pragma omp parallel for schedule(static) num_threads(s->threads)
        for (int i = 0; i < s->threads; ++i)
            measure_work(s->steps);
    }
}

static double inner(long count, void* context)
{
    const struct setting* s = (const struct setting*)context;
    double took = 0;
#pragma omp parallel num_threads(measure_cpus())
    {
        const int first = omp_get_thread_num() == 0;
        const double start = measure_now();
        for (long repetition = 0; repetition < count && (first || s->others != 0); ++repetition) {
            meet(first ? regions : s->others, s);
            if (s->others != 0) {
#pragma omp barrier
            }
        }
        if (first)
            took = measure_now() - start;
    }
    return took;
}

static double loop(long count, void* context)
{
    const struct setting* s = (const struct setting*)context;
    const int n = s->others;
    const double start = measure_now();
    for (long repetition = 0; repetition < count; ++repetition) {
#pragma omp parallel for schedule(static) num_threads(s->threads)
        for (int i = 0; i < n; ++i) {
#pragma omp parallel for schedule(static) num_threads(s->threads)
            for (int j = 0; j < n; ++j)
                __asm__ volatile("");
        }
    }
    return measure_now() - start;
}

int main(int argc, char** argv)
{
    static const struct {
        const char* name;
        int others;
    } crews[] = {{"idle", 0}, {"half", regions / 2}, {"busy", regions}};
    static const int work[] = {0, 1, 10, 100};
    static const int sizes[] = {25, 64};
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    const double steps = (double)measure_steps(1e-5) / 10; /* of a microsecond */
    char name[40];
    for (int i = 0; i < 2; ++i) {
        struct setting s = {options.threads, sizes[i], 0};
        snprintf(name, sizeof name, "inner-loop-%d", sizes[i]);
        measure_run(name, "us", 1e6, &options, loop, &s, openmp_extra(""));
    }
    for (int c = 0; c < 3; ++c) {
        for (int w = 0; w < 4; ++w) {
            struct setting s = {options.threads, crews[c].others,
                                (long)(steps * work[w] / options.threads + 0.5)};
            snprintf(name, sizeof name, "inner-%s-%dus", crews[c].name, work[w]);
            measure_run(name, "us", 1e6 / regions, &options, inner, &s, openmp_extra(""));
        }
    }
    return 0;
}
