/* undeferred.c — the cost of a task that is executed where it is made: naive Fibonacci with a
 * cut-off, below which tasks are undeferred (an if clause that is false) or final. Four levels,
 * thirty tasks, are deferred; nearly all tasks are not. The figures are wall time of the recursion
 * divided by the number of tasks. */
#include "openmp.h"

enum { deferred_levels = 4 };

static long fib_if(int n, int level)
{
    if (n < 2)
        return n;
    long left, right;
#pragma omp task shared(left) firstprivate(n, level) if (level < deferred_levels)
    left = fib_if(n - 1, level + 1);
#pragma omp task shared(right) firstprivate(n, level) if (level < deferred_levels)
    right = fib_if(n - 2, level + 1);
#pragma omp taskwait
    return left + right;
}

static long fib_final(int n, int level)
{
    if (n < 2)
        return n;
    long left, right;
#pragma omp task shared(left) firstprivate(n, level) final(level >= deferred_levels)
    left = fib_final(n - 1, level + 1);
#pragma omp task shared(right) firstprivate(n, level) final(level >= deferred_levels)
    right = fib_final(n - 2, level + 1);
#pragma omp taskwait
    return left + right;
}

struct run {
    int threads, size;
    long expected, tasks;
    long (*fib)(int n, int level);
};

static double recursions(long count, void* context)
{
    const struct run* run = (const struct run*)context;
    double took = 0;
    long result = 0;
#pragma omp parallel num_threads(run->threads)
#pragma omp single
    {
        double start = measure_now();
        for (long i = 0; i < count; ++i)
            result = run->fib(run->size, 0);
        took = measure_now() - start;
    }
    if (result != run->expected) {
        fprintf(stderr, "undeferred: fib(%d) gave %ld\n", run->size, result);
        exit(1);
    }
    return took;
}

/* fib(n), and the calls for it, less the root: each was a task. */
static void count(struct run* run)
{
    long before = 0, result = 1, calls_before = 1, calls = 1;
    for (int i = 2; i <= run->size; ++i) {
        long next = before + result;
        before = result;
        result = next;
        next = calls_before + calls + 1;
        calls_before = calls;
        calls = next;
    }
    run->expected = result;
    run->tasks = calls - 1;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    struct run run = {options.threads, options.size ? options.size : 27, 0, 0, fib_if};
    count(&run);
    char more[64];
    snprintf(more, sizeof more, ",\"size\":%d", run.size);
    measure_run("task-if", "ns", 1e9 / (double)run.tasks, &options, recursions, &run,
                openmp_extra(more));
    run.fib = fib_final;
    measure_run("task-final", "ns", 1e9 / (double)run.tasks, &options, recursions, &run,
                openmp_extra(more));
    return 0;
}
