/* Tasks: how they are made, waited for, ordered and grouped. */
#include "row.h"

static int fib(int k)
{
    int a, b;
    if (k < 2)
        return k;
#pragma omp task shared(a)
    a = fib(k - 1);
#pragma omp task shared(b)
    b = fib(k - 2);
#pragma omp taskwait
    return a + b;
}
static int task(void)
{
    int result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    result = fib(15);
    return result != 610;
}
static int task_untied(void)
{
    int sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task untied mergeable
        {
#pragma omp taskyield
#pragma omp atomic
            sum += i;
        }
    }
    return sum != 4950;
}
static int task_if_final(void)
{
    int wrong = 0, order = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task if (0) shared(order)
        order = 1;
        wrong += order != 1;
#pragma omp task final(1) shared(wrong)
        wrong += !omp_in_final();
    }
    return wrong;
}
static int depend(void)
{
    int x = 0, y = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task depend(out : x) shared(x)
        x = i;
#pragma omp task depend(in : x) depend(inout : y) shared(x, y, wrong)
        {
            wrong += x != i || y != i;
            y++;
        }
    }
    return wrong || y != 50;
}
static int depobj(void)
{
    int x = 0, got = 0;
    omp_depend_t object;
#pragma omp depobj(object) depend(out : x)
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task depend(depobj : object) shared(x)
        x = 5;
#pragma omp task depend(in : x) shared(x, got)
        got = x;
    }
#pragma omp depobj(object) destroy
    return got != 5;
}
static int detach(void)
{
    int after = 0;
    omp_event_handle_t event;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task detach(event)
        {
        }
#pragma omp task shared(after)
        {
            after = 1;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        after += after == 1;
    }
    return after != 2;
}
static int taskgroup(void)
{
    int sum = 0, seen = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < 10; i++) {
#pragma omp task
            {
#pragma omp task
                {
#pragma omp atomic
                    sum++;
                }
            }
        }
        seen = sum;
    }
    return seen != 10;
}
static int taskloop(void)
{
    int times[n] = {0}, sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop grainsize(7)
    for (int i = 0; i < n; i++)
        times[i]++;
    for (int i = 0; i < n; i++)
        sum += times[i] == 1;
    return sum != n;
}
static int task_reduction(void)
{
    int sum = 1;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
    return sum != 4951;
}

const struct row rows[] = {
    {"task, taskwait", task},
    {"untied, mergeable, taskyield", task_untied},
    {"if, final", task_if_final},
    {"depend", depend},
    {"depobj", depobj},
    {"detach", detach},
    {"taskgroup", taskgroup},
    {"taskloop", taskloop},
    {"task_reduction", task_reduction},
    {NULL, NULL},
};
