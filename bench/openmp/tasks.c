/* tasks.c — the cost of one explicit task: naive Fibonacci, two tasks and a taskwait per call, no
 * cut-off. The figure is wall time of the recursion divided by the number of tasks.
 *
 * The size shrinks from fib(27) when a runtime is so slow that a sample would take over 0.4 s (20
 * us per task happens); the size used is printed. --size sets it. */
#include "openmp.h"

static long fib(int n)
{
    if (n < 2)
        return n;
    long left, right;
#pragma omp task shared(left) firstprivate(n)
    left = fib(n - 1);
#pragma omp task shared(right) firstprivate(n)
    right = fib(n - 2);
#pragma omp taskwait
    return left + right;
}

/* Calls of fib() for one n, less the root: each was a task. */
static long tasks_of(int n)
{
    long before = 1, calls = 1;
    for (int i = 2; i <= n; ++i) {
        long next = before + calls + 1;
        before = calls;
        calls = next;
    }
    return calls - 1;
}

static long serial_fib(int n)
{
    return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2);
}

struct run {
    int threads, size;
    long expected;
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
            result = fib(run->size);
        took = measure_now() - start;
    }
    if (result != run->expected) {
        fprintf(stderr, "tasks: fib(%d) gave %ld\n", run->size, result);
        exit(1);
    }
    return took;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    struct run run = {options.threads, 12, 144};
    const int largest = options.size ? options.size : 27;
    while (run.size < largest) {
        double took = recursions(1, &run);
        /* Each step multiplies the tasks by 1.62; stop where the next would pass 0.4 s. */
        if (!options.size && took * 1.62 > 0.4)
            break;
        ++run.size;
        run.expected = serial_fib(run.size);
    }
    char more[64];
    snprintf(more, sizeof more, ",\"size\":%d", run.size);
    measure_run("task", "ns", 1e9 / (double)tasks_of(run.size), &options, recursions, &run,
                openmp_extra(more));
    return 0;
}
