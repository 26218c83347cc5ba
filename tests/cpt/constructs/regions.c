/* Regions: their sizes and numbers, who executes a part of them, and teams. */
#include "row.h"

static int parallel(void)
{
    int seen[threads] = {0}, sum = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
        seen[omp_get_thread_num()]++;
    }
    for (int i = 0; i < threads; i++)
        sum += seen[i] == 1;
    return sum != threads;
}
static int parallel_for(void)
{
    int sum = 0, times[n] = {0};
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++)
        times[i]++;
    for (int i = 0; i < n; i++)
        sum += times[i] == 1;
    return sum != n;
}
static int nested_parallel(void)
{
    int count = 0, levels = 0;
#pragma omp parallel num_threads(threads)
#pragma omp parallel num_threads(3)
    {
#pragma omp barrier
#pragma omp atomic
        count++;
#pragma omp atomic
        levels += omp_get_level() == 2 && omp_get_ancestor_thread_num(1) < threads;
    }
    return count != 3 * threads || levels != count;
}
static int num_threads(void)
{
    int size = 0;
#pragma omp parallel num_threads(5)
#pragma omp single
    size = omp_get_num_threads();
    return size != 5;
}
static int set_num_threads(void)
{
    int size = 0;
    omp_set_num_threads(3);
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    return size != 3;
}
static int get_num_threads(void)
{
    int wrong = omp_get_num_threads() != 1;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += omp_get_num_threads() != threads;
    return wrong;
}
static int get_max_threads(void)
{
    omp_set_num_threads(7);
    return omp_get_max_threads() != 7;
}
static int get_thread_num(void)
{
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += 1 << omp_get_thread_num();
    return sum != (1 << threads) - 1 || omp_get_thread_num() != 0;
}
static int in_parallel(void)
{
    int wrong = omp_in_parallel();
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += !omp_in_parallel();
    return wrong;
}
static int get_num_procs(void)
{
    return omp_get_num_procs() < 1;
}
static int get_wtime(void)
{
    double before = omp_get_wtime();
    return omp_get_wtime() < before || omp_get_wtick() <= 0;
}
static int master(void)
{
    int who = -1, count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp master
    {
        who = omp_get_thread_num();
        count++;
    }
    return who != 0 || count != 1;
}
static int masked(void)
{
    int who = -1;
#pragma omp parallel num_threads(threads)
#pragma omp masked filter(2)
    who = omp_get_thread_num();
    return who != 2;
}
static int single(void)
{
    int count = 0, seen = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 10; i++) {
#pragma omp single
        count++;
#pragma omp atomic
        seen += count == i + 1;
#pragma omp barrier
    }
    return count != 10 || seen != 10 * threads;
}
static int scope(void)
{
    int sum = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp scope reduction(+ : sum)
        sum += omp_get_thread_num();
#pragma omp atomic
        wrong += sum != threads * (threads - 1) / 2;
    }
    return wrong;
}
static int teams(void)
{
    int sum = 0;
#pragma omp teams num_teams(3) reduction(+ : sum)
#pragma omp distribute parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < n; i++)
        sum += i;
    return sum != n * (n - 1) / 2;
}
static int cancel(void)
{
    int done = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100000; i++) {
#pragma omp atomic
            done++;
#pragma omp cancel for
        }
    }
    return omp_get_cancellation() ? done > 100 : done != 100000;
}
static int cancel_others(void)
{
    int after = 0, sum = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp cancel parallel
#pragma omp atomic
        after++;
    }
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 1000; i++) {
#pragma omp task shared(sum)
        {
#pragma omp atomic
            sum++;
#pragma omp cancel taskgroup
        }
    }
    return omp_get_cancellation() ? after != 0 || sum == 0 : after != threads || sum != 1000;
}

const struct row rows[] = {
    {"parallel for", parallel_for},
    {"parallel", parallel},
    {"master", master},
    {"single", single},
    {"num_threads", num_threads},
    {"omp_set_num_threads", set_num_threads},
    {"omp_get_num_threads", get_num_threads},
    {"omp_get_max_threads", get_max_threads},
    {"omp_get_thread_num", get_thread_num},
    {"omp_in_parallel", in_parallel},
    {"omp_get_num_procs", get_num_procs},
    {"omp_get_wtime", get_wtime},
    {"nested parallel", nested_parallel},
    {"masked", masked},
    {"cancel for", cancel},
    {"cancel parallel, taskgroup", cancel_others},
    {"scope", scope},
    {"teams, distribute", teams},
    {NULL, NULL},
};
