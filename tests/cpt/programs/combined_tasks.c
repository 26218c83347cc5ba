/* What a region shares its tasks share, also where both are one construct. */
#include <stdio.h>
int main(void)
{
    int a[20] = {0}, b[4] = {0}, i, last = -1, own = 5, sum = 0;
    struct {
        int n;
    } s = {0};
#pragma omp parallel master taskloop num_threads(3) firstprivate(own) lastprivate(last)
    for (i = 0; i < 20; i++) {
        a[i] = i + own;
        last = i;
    }
#pragma omp parallel master taskloop simd num_threads(3)
    for (i = 0; i < 20; i++)
        a[i] *= 2;
#pragma omp parallel masked taskloop num_threads(2)
    for (int k = 0; k < 4; k++) {
#pragma omp task
        {
#pragma omp atomic
            s.n += k;
            b[k] = k;
        }
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
    for (int k = 0; k < 4; k++) {
#pragma omp atomic
        s.n += 100;
        a[k] += 1000;
    }
    for (int k = 0; k < 20; k++)
        sum = sum * 3 % 10007 + a[k] + b[k % 4];
    printf("%d %d %d %d %d\n", sum, last, own, s.n, i);
    return 0;
}
