/* What an atomic construct evaluates beside its object is no part of it: it may contain others. On
 * objects that no instruction exchanges, too. */
#include <stdio.h>
static long double a, b, list[4];
static struct {
    int n;
    struct {
        unsigned low : 3, high : 13;
    };
} bits[2];
static int calls;
static int next(int v)
{
    long double mine;
#pragma omp atomic capture
    mine = b++;
#pragma omp atomic
    bits[1].low += 1;
#pragma omp atomic
    calls++;
    return mine >= 0 ? v : -1;
}
static void* place(void* p)
{
    next(0);
    return p;
}
int main(void)
{
    long double seen = 0, got[2] = {0};
    int x = 0, old = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        a += next(2);
#pragma omp atomic update
        a = next(1) + a;
#pragma omp atomic
        list[next(1)] += 1;
#pragma omp atomic
        bits[next(0)].high += next(3);
#pragma omp atomic
        ((__typeof__(&bits[0]))place(&bits[0]))->high++;
    }
    printf("%Lg %Lg %Lg %d %d\n", a, b, list[1], bits[0].high, calls);
#pragma omp atomic write
    list[next(2)] = next(7);
#pragma omp atomic read
    got[next(1)] = list[next(2)];
#pragma omp atomic capture
    {
        seen = *(long double*)place(&list[2]);
        *(long double*)place(&list[2]) = next(9);
    }
    printf("%Lg %Lg %Lg", got[1], seen, list[2]);
#pragma omp atomic capture
    got[next(0)] = list[next(2)] *= next(2);
#pragma omp atomic capture
    {
        old = x;
        x = next(4);
    }
    printf(" %Lg %Lg %d %d\n", got[0], list[2], old, x);
    /* The operand is evaluated once, however often the exchange is tried. */
    calls = 0;
#pragma omp parallel num_threads(4) private(old)
    for (int i = 0; i < 20000; i++) {
#pragma omp atomic capture
        {
            old = x;
            x = next(i);
        }
    }
    printf("%d\n", calls);
    return 0;
}
