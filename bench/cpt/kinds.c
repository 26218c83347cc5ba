/* The workloads of bench/cpt/run: runs the one that the first argument names twice, and prints the
 * seconds of the second run. The same source is compiled by gcc, by clang and by cpt. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double spin(int n)
{
    double x = n;
    for (int i = 0; i < 1200; ++i) {
        x = x * 1.0000001 + 1e-9;
    }
    return x;
}

/* Flat loops in the manner of EPCC's: many short regions, loops and reductions. */
static double flat(int times)
{
    static double a[4096];
    double sum = 0;
    for (int t = 0; t < times; ++t) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < 4096; ++i) {
            a[i] += i * 0.5;
        }
#pragma omp parallel
        {
#pragma omp for schedule(static) reduction(+ : sum)
            for (int i = 0; i < 4096; ++i) {
                sum += a[i];
            }
#pragma omp for schedule(dynamic, 64)
            for (int i = 0; i < 4096; ++i) {
                a[i] *= 0.999;
            }
        }
    }
    return sum;
}

static double large(int times)
{
    enum { n = 1 << 20 };
    double* const a = malloc(sizeof *a * n);
    double sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        a[i] = i;
    }
    for (int t = 0; t < times; ++t) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 1; i < n - 1; ++i) {
            sum += a[i - 1] - 2 * a[i] + a[i + 1];
        }
    }
    free(a);
    return sum;
}

static double nested(int times)
{
    double sum = 0;
    for (int t = 0; t < times; ++t) {
#pragma omp parallel for num_threads(8) reduction(+ : sum)
        for (int i = 0; i < 8; ++i) {
            double part = 0;
#pragma omp parallel for num_threads(8) reduction(+ : part)
            for (int j = 0; j < 8; ++j) {
                part += spin(i + j);
            }
            sum += part;
        }
    }
    return sum;
}

static int fib(int n)
{
    int a = 0, b = 0;
    if (n < 2) {
        return n;
    }
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static int place(int n, int row, const char* columns)
{
    int all = 0;
    if (row == n) {
        return 1;
    }
    for (int c = 0; c < n; ++c) {
        int free_ = 1;
        for (int r = 0; r < row; ++r) {
            free_ = free_ && columns[r] != c && abs(columns[r] - c) != row - r;
        }
        if (!free_) {
            continue;
        }
        char next[16];
        memcpy(next, columns, (size_t)row);
        next[row] = (char)c;
#pragma omp task firstprivate(next) shared(all)
        {
            const int part = place(n, row + 1, next);
#pragma omp atomic
            all += part;
        }
    }
#pragma omp taskwait
    return all;
}

static double tasks(int (*f)(int), int n)
{
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = f(n);
    return result;
}

static int queens(int n)
{
    char columns[16] = {0};
    return place(n, 0, columns);
}

static double run(const char* what)
{
    return strcmp(what, "flat") == 0     ? flat(400)
           : strcmp(what, "large") == 0  ? large(40)
           : strcmp(what, "nested") == 0 ? nested(20)
           : strcmp(what, "fib") == 0    ? tasks(fib, 22)
           : strcmp(what, "queens") == 0 ? tasks(queens, 9)
                                         : -1;
}

int main(int count, char** arguments)
{
    if (count != 2 || run(arguments[1]) < 0) {
        fprintf(stderr, "usage: kinds flat|large|nested|fib|queens\n");
        return 2;
    }
    const double begin = omp_get_wtime();
    const double result = run(arguments[1]);
    printf("%.9f %.6g\n", omp_get_wtime() - begin, result);
    return 0;
}
