/* Variables of which a function names nothing but private copies: for the compiler, too, they are
 * used. */
#include <stdlib.h>
static int loops(int n, int* sum)
{
    int i, j, low, high, m[4], v[n];
    double t;
#pragma omp for private(i, low, high, m, t, v) nowait
    for (j = 0; j < n; j++) {
        low = 0;
        high = j;
        for (i = low; i < high; i++) {
            m[i % 4] = i;
            v[0] = m[i % 4];
            t = v[0];
#pragma omp atomic
            *sum += (int)t;
        }
    }
#pragma omp barrier
    return *sum;
}
static void others(int* sum)
{
    int a, b, c, d, k, e = 3;
#pragma omp sections private(a)
    {
#pragma omp section
        for (a = 0; a < 3; a++) {
#pragma omp atomic
            *sum += a;
        }
    }
#pragma omp single private(b)
    for (b = 0; b < 3; b++) {
#pragma omp atomic
        *sum += b;
    }
#pragma omp task private(c)
    for (c = 0; c < 3; c++) {
#pragma omp atomic
        *sum += c;
    }
#pragma omp taskwait
#pragma omp parallel private(d) num_threads(1)
    for (d = 0; d < 3; d++) {
#pragma omp atomic
        *sum += d;
    }
#pragma omp simd private(e) collapse(1)
    for (k = 0; k < 1; k++) {
        e = k;
        *sum += e;
    }
#pragma omp taskloop private(k)
    for (int i = 0; i < 2; i++) {
        k = i;
#pragma omp atomic
        *sum += k;
    }
}
int main(void)
{
    int sum = 0;
    if (loops(5, &sum) != 10)
        abort();
    others(&sum);
    return sum != 10 + 12 + 1;
}
