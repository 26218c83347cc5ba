/* Tasks: dependences, groups, reductions, loops, detached ones, and cancellation. */
#include <omp.h>
#include <stdlib.h>
static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) if (n > 5)
    a = fib(n - 1);
#pragma omp task shared(b) final(n < 8) mergeable
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
int main(void)
{
    int chain = 1, sum = 0, v[8], last = 0;
    omp_event_handle_t event;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < 5; i++)
#pragma omp task depend(inout : chain)
            chain *= 2;
#pragma omp taskwait
        if (chain != 32)
            abort();
#pragma omp task depend(iterator(int i = 0 : 8), out : v[i])
        for (int i = 0; i < 8; i++)
            v[i] = i;
#pragma omp task depend(in : v[3])
        if (v[7] != 7)
            abort();
#pragma omp taskgroup task_reduction(+ : sum)
        for (int i = 1; i <= 10; i++)
#pragma omp task in_reduction(+ : sum)
            sum += i;
        if (sum != 55)
            abort();
#pragma omp taskloop grainsize(3) lastprivate(last) reduction(+ : sum)
        for (int i = 0; i < 20; i++) {
            last = i;
            sum += 1;
        }
        if (last != 19 || sum != 75)
            abort();
#pragma omp task detach(event)
        ;
        omp_fulfill_event(event);
#pragma omp taskwait
        if (fib(14) != 377)
            abort();
    }
    int rounds = 0;
#pragma omp parallel for schedule(dynamic) num_threads(2) reduction(+ : rounds)
    for (int i = 0; i < 1000; i++) {
        rounds++;
        if (omp_get_cancellation()) {
#pragma omp cancel for
        }
    }
    if (!omp_get_cancellation() && rounds != 1000)
        abort();
    return 0;
}
