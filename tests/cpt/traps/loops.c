/* Every form of a canonical loop, limits of types, empty loops, and loops whose bounds depend on
 * each other. */
#include <limits.h>
#include <stdlib.h>
#define CHECK(want)      \
    do {                 \
        if (n != (want)) \
            abort();     \
        n = 0;           \
    } while (0)
int main(void)
{
    long n = 0;
    int i, s = 3, a[20] = {0}, *p;
    unsigned char c;
    unsigned long long u;
#pragma omp parallel for reduction(+ : n) schedule(dynamic)
    for (i = 0; i < 10; i += s)
        n += i;
    CHECK(18);
#pragma omp parallel for reduction(+ : n) schedule(guided, 2)
    for (i = 10; i > 0; i = i - s)
        n += i;
    CHECK(22);
#pragma omp parallel for reduction(+ : n) schedule(static, 3)
    for (i = 10; 1 <= i; --i)
        n += i;
    CHECK(55);
#pragma omp parallel for reduction(+ : n) schedule(runtime)
    for (c = 250; c < 255; c++)
        n += c;
    CHECK(1260);
#pragma omp parallel for reduction(+ : n) schedule(auto)
    for (u = ULLONG_MAX - 5; u < ULLONG_MAX; u++)
        n++;
    CHECK(5);
#pragma omp parallel for reduction(+ : n)
    for (i = INT_MIN; i < INT_MAX - 100; i += 1 << 30)
        n++;
    CHECK(4);
#pragma omp parallel for reduction(+ : n)
    for (i = 5; i < 5; i++)
        n++;
    CHECK(0);
    /* Down by a negative step, which the counter's type makes a large one. */
    unsigned w;
#pragma omp parallel for reduction(+ : n)
    for (w = 10; w != 0; w += -1)
        n += w;
    CHECK(55);
#pragma omp parallel for reduction(+ : n) schedule(dynamic)
    for (u = 10; u != 0; u = u + (-2))
        n += (long)u;
    CHECK(30);
#pragma omp parallel for reduction(+ : n)
    for (w = 0; w != 10; w -= -1)
        n += w;
    CHECK(45);
#pragma omp parallel for reduction(+ : n)
    for (w = 10; w != 0; w -= 1u)
        n += w;
    CHECK(55);
#pragma omp simd reduction(+ : n)
    for (u = 10; u != 0; u += -1)
        n += (long)u;
    CHECK(55);
#pragma omp parallel for
    for (p = a; p != a + 20; p++)
        *p = (int)(p - a);
#pragma omp parallel for reduction(+ : n)
    for (p = &a[19]; p >= &a[0]; p -= 2)
        n += *p;
    CHECK(100);
#pragma omp parallel for collapse(3) reduction(+ : n)
    for (i = 0; i < 3; i++)
        for (int j = 4; j > 0; j -= 2)
            for (int k = 0; k <= 4; k++) {
                if (k == 4)
                    continue;
                n += 100 * i + 10 * j + k;
            }
    CHECK(3156);
#pragma omp parallel for collapse(2) reduction(+ : n) schedule(dynamic, 3)
    for (int k = 0; k < 9; k++)
        for (int j = k; j < 2 * k + 1; j++)
            n += k * j;
    CHECK(2250);
    {
        int sum = 0;
        for (int k = 0; k < 9; k++)
            for (int j = k; j < 2 * k + 1; j++)
                sum += k * j;
        if (sum != 2250)
            abort();
    }
#pragma omp parallel num_threads(3)
#pragma omp for ordered schedule(dynamic, 1)
    for (i = 0; i < 20; i++) {
#pragma omp ordered
        {
            if (n != i)
                abort();
            n++;
        }
    }
    CHECK(20);
#pragma omp simd
    for (i = 0; i < 7; i++)
        n += i;
    if (i != 7)
        abort();
    CHECK(21);
    {
        /* Inner loops without iterations: nothing is divided by their number. */
        volatile int none = 0;
        int j, rows = 7;
#pragma omp simd collapse(2) lastprivate(i, j)
        for (i = 0; i < rows; i++)
            for (j = 0; j < none; j++)
                n++;
#pragma omp parallel for simd collapse(2) reduction(+ : n)
        for (int k = 0; k < rows; k++)
            for (int m = none; m > 0; m--)
                n++;
    }
    CHECK(0);
    return 0;
}
