#include <stdio.h>
int calls;
static int f(void)
{
    return calls++;
}
int main(void)
{
    int x = 0, got[64] = {0}, n = 0, *p = &x, seen = 0;
    long sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        int mine[16], k = 0;
        for (int i = 0; i < 16; i++)
#pragma omp atomic capture
            mine[k++] = x++;
        for (int i = 0; i < k; i++)
            sum += mine[i];
    }
    for (int i = 0; i < 4; i++)
#pragma omp atomic capture
    {
        got[n++] = x;
        x += 3;
    }
#pragma omp atomic
    p[f()] += 1;
#pragma omp atomic capture
    {
        seen = p[f(), 0];
        p[f(), 0] *= 2;
    }
    struct {
        unsigned a : 3, b : 5;
    } bf = {0, 0};
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 5; i++)
#pragma omp atomic
        bf.b++;
    long double ld = 0;
    double d = 1;
    float fl = 8;
    unsigned char uc = 250;
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        ld += 0.5L;
#pragma omp atomic
        d = 2 * d;
#pragma omp atomic
        fl = 16 / fl;
#pragma omp atomic
        uc += 3;
    }
    int mx = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic compare
        if (mx < i) {
            mx = i;
        }
    }
    printf("%d %ld %d %d %d %d %d %d %g %g %g %d %d\n", x, sum, n, got[3], seen, calls, bf.a, bf.b,
           (double)ld, d, fl, uc, mx);
    return 0;
}
