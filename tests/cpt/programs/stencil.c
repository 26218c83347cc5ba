#include <stdio.h>
#include <stdlib.h>
#define IDX(i, j) ((i) * m + (j))
static double sweep(int n, int m, double (*restrict a)[m], double (*restrict b)[m], int steps)
{
    double diff = 0;
    for (int s = 0; s < steps; s++) {
        diff = 0;
#pragma omp parallel for collapse(2) reduction(max : diff) schedule(runtime)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                double d = b[i][j] - a[i][j];
                if (d < 0)
                    d = -d;
                if (d > diff)
                    diff = d;
            }
#pragma omp parallel for simd
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
    return diff;
}
static double gs(int n, int m, double* u)
{
    double s = 0;
#pragma omp parallel
    {
#pragma omp for ordered(2) schedule(static, 1)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                u[IDX(i, j)] = (u[IDX(i - 1, j)] + u[IDX(i, j - 1)]) / 2 + 1;
#pragma omp ordered depend(source)
            }
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n * m; i++)
            s += u[i];
    }
    return s;
}
static long da(int n)
{
    int a[n][n][n];
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j][k] = 1;
#pragma omp parallel for ordered(3) num_threads(4)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j += 2)
            for (int k = n - 1; k > 0; k--) {
#pragma omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 2, k + 1)
                a[i][j][k] = a[i - 1][j][k] + (j > 2 && k < n - 1 ? a[i][j - 2][k + 1] : 0) + 1;
#pragma omp ordered depend(source)
            }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                s = s * 3 % 1000003 + a[i][j][k];
    return s;
}
int main(void)
{
    int n = 40, m = 30;
    double(*a)[m] = calloc(n, sizeof *a), (*b)[m] = calloc(n, sizeof *b);
    for (int j = 0; j < m; j++)
        a[0][j] = b[0][j] = 100;
    double d = sweep(n, m, a, b, 30);
    double* u = calloc(n * m, sizeof *u);
    printf("%.12f %.12f %.8f %ld\n", d, a[5][7], gs(n, m, u), da(7));
    return 0;
}
