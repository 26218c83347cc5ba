#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static int ctr(void)
{
    static int n;
    int r;
#pragma omp critical
    {
        static int inner;
        inner += 2;
        n++;
        r = n + inner;
    }
    return r;
}
static int va(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int s = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
int old(a, b)
int a;
char b;
{
    int r = 0;
#pragma omp parallel reduction(+ : r) num_threads(2)
    r += a + b;
    return r;
}
static void* (*alloc)(size_t) = malloc;
int main(int argc, char** argv)
{
    static double table[8];
    const int n = 8;
    static const char msg[] = "abc";
    volatile int vol = 3;
    register int reg = 4;
    int *p = NULL, total = 0;
    char name[sizeof(msg)];
    _Complex double z = 3;
    float f[2] = {1, 2};
    int arr[] = {[2] = 5, [0] = 1};
    __typeof__(arr) copy;
    __auto_type au = 2.5;
#pragma omp parallel num_threads(4)
    {
        for (int i = 0; i < 5; i++)
            ctr();
#pragma omp for
        for (int i = 0; i < n; i++)
            table[i] = i + reg + vol + au;
#pragma omp single
        {
            p = malloc(4);
            *p = 77;
            z = 5;
            f[1] = 9;
            name[0] = msg[2];
        }
#pragma omp atomic
        total += *p + (int)f[1];
#pragma omp sections
        {
#pragma omp section
            {
                for (size_t i = 0; i < sizeof copy / sizeof copy[0]; i++)
                    copy[i] = arr[i] * argc;
            }
        }
    }
    int big = 0;
#pragma omp parallel for private(p) lastprivate(big)
    for (int i = 0; i < 10; i++) {
        p = alloc(8);
        *p = i;
        big = *p;
        free(p);
    }
    printf("%d %d %d %g %d %c %d %d %g %s\n", ctr(), va(3, 1, 2, 3), old(3, 4), table[7], total,
           name[0], copy[2], big, __real__ z, argv[0] ? __func__ : "");
    return 0;
}
