// One member makes a million tasks, many times faster than others can run them: memory stays
// bounded, and the others do take part. Also with tasks that make tasks, and with as many taskloop
// tasks.
#include "check.h"

#include <omp.h>
#include <sched.h>
#include <sys/resource.h>

enum { tasks = 1000000, most_threads = 64 };

static struct {
    _Alignas(64) long runs;
} by[most_threads];

static long others;

// The producer yields its CPU until another member has run a task.
static void run_one(int producer)
{
    const int me = omp_get_thread_num();
    ++by[me].runs;
    if (me != producer) {
        if (__atomic_load_n(&others, __ATOMIC_RELAXED) == 0) {
            __atomic_store_n(&others, 1, __ATOMIC_RELAXED);
        }
    } else if (__atomic_load_n(&others, __ATOMIC_RELAXED) == 0) {
        sched_yield();
    }
}

static long megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

static void start(void)
{
    for (int i = 0; i < most_threads; ++i) {
        by[i].runs = 0;
    }
    others = 0;
}

static void judge(int threads)
{
    long sum = 0;
    for (int i = 0; i < most_threads; ++i) {
        sum += by[i].runs;
    }
    CHECK(sum == tasks);
    CHECK(threads == 1 || others == 1 || getenv("UNDER_ARTEL") == NULL);
}

int main(void)
{
    int threads = 1;
    const long before = megabytes();
    start();
#pragma omp parallel
#pragma omp single
    {
        threads = omp_get_num_threads();
        const int producer = omp_get_thread_num();
        for (int i = 0; i < tasks; ++i) {
#pragma omp task firstprivate(producer)
            run_one(producer);
        }
    }
    judge(threads);

    start();
#pragma omp parallel
#pragma omp single
    {
        const int producer = omp_get_thread_num();
        for (int i = 0; i < tasks / 10; ++i) {
#pragma omp task firstprivate(producer)
            for (int k = 0; k < 10; ++k) {
#pragma omp task firstprivate(producer)
                run_one(producer);
            }
        }
    }
    judge(threads);

    start();
#pragma omp parallel
#pragma omp single
    {
        const int producer = omp_get_thread_num();
#pragma omp taskloop grainsize(10) firstprivate(producer)
        for (int i = 0; i < tasks; ++i) {
            run_one(producer);
        }
    }
    judge(threads);

    // A queued task takes some hundred bytes: a million would be far more than this.
    CHECK(megabytes() - before < 128);
    return finish("many_tasks");
}
