#include <limits.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    long c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0, c8 = 0;
#pragma omp parallel for reduction(+ : c1) num_threads(3)
    for (long i = 1L << 33; i > (1L << 33) - 10; i -= 3)
        c1 += i & 15;
#pragma omp parallel for reduction(+ : c2) num_threads(3) schedule(static, 2)
    for (unsigned i = 200; i > 190; i -= 1)
        c2 += i;
#pragma omp parallel for reduction(+ : c3) num_threads(3) schedule(guided)
    for (short i = -5; i < 7; i += 3)
        c3 += i;
    char buf[] = "hello world";
#pragma omp parallel for reduction(+ : c4) num_threads(3) schedule(static, 2)
    for (char* p = buf + strlen(buf) - 1; p >= buf; p -= 2)
        c4 += *p;
#pragma omp parallel for reduction(+ : c5) num_threads(4)
    for (unsigned i = UINT_MAX - 5; i < UINT_MAX; i++)
        c5 += i & 7;
#pragma omp parallel for reduction(+ : c6) num_threads(4) schedule(dynamic)
    for (int i = INT_MAX - 4; i < INT_MAX; ++i)
        c6 += i & 7;
    unsigned long long lo = ULLONG_MAX - 6, st = 2;
#pragma omp parallel for reduction(+ : c7) num_threads(4) schedule(guided, 1)
    for (unsigned long long i = lo; i <= ULLONG_MAX - 2; i = st + i)
        c7 += i & 15;
    int n = 0;
#pragma omp parallel for reduction(+ : c8) num_threads(4) collapse(3)
    for (int i = 0; i < 3; i++)
        for (int j = 4; j > 0; j -= 2)
            for (long k = -1; k <= 1; k++)
                c8 += i * 100 + j * 10 + k;
#pragma omp parallel for lastprivate(n) collapse(2)
    for (int i = 0; i < 0; i++)
        for (int j = 0; j < 5; j++)
            n = 1;
    int i, j, tri = 0;
#pragma omp parallel for collapse(2) reduction(+ : tri) lastprivate(i, j)
    for (i = 0; i < 6; i++)
        for (j = i; j < 6; j++)
            tri += i * j;
    printf("%ld %ld %ld %ld %ld %ld %ld %ld %d %d %d %d\n", c1, c2, c3, c4, c5, c6, c7, c8, n, tri,
           i, j);
    return 0;
}
