/* C of 1989: each construct that becomes a loop, with counters that are declared in front. */
#include <stdio.h>

int main(void)
{
    int i, j, s = 0, a[6] = {0}, t = 0, n = 0, d[8] = {0};
#pragma omp parallel for reduction(+ : s, a) schedule(dynamic)
    for (i = 0; i < 12; i++) {
        s += i;
        a[i % 6] += i;
    }
#pragma omp parallel sections reduction(+ : t)
    {
        t += 1;
#pragma omp section
        t += 2;
    }
#pragma omp parallel for collapse(2) reduction(+ : n)
    for (i = 0; i < 6; i++)
        for (j = 0; j < i; j++)
            n += j;
#pragma omp parallel for ordered(1)
    for (i = 1; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1)
        d[i] = d[i - 1] + i;
#pragma omp ordered depend(source)
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : t)
    for (i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : t) firstprivate(i)
        t += i;
    }
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(iterator(k = 0 : 6), out : a[k]) shared(a)
        a[0]++;
#pragma omp task depend(iterator(k = 0 : 6), in : a[k]) shared(a, s)
        s += a[0];
    }
    printf("%d %d %d %d %d\n", s, a[5], t, n, d[7]);
    return 0;
}
