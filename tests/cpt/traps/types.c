/* VLAs, static locals, anonymous structs, types of a block, typeof, bit-fields, _Complex, statement
 * expressions, several declarators, enumerators. */
#include <complex.h>
#include <omp.h>
#include <stdarg.h>
#include <stdlib.h>
struct {
    int a, b : 5;
} anonymous;
static int vla(int n, int m)
{
    int grid[n][m], (*row)[m] = grid, sum = 0;
#pragma omp parallel for collapse(2) num_threads(3)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            grid[i][j] = i * m + j;
#pragma omp parallel num_threads(2) firstprivate(grid)
    {
        grid[0][0] = -1;
        if (sizeof grid != sizeof(int) * n * m)
            abort();
#pragma omp single
#pragma omp task shared(sum)
        sum = row[n - 1][m - 1];
    }
    if (grid[0][0] != 0)
        abort();
    return sum;
}
static int statics(void)
{
    static int calls, *pointer = &calls;
#pragma omp parallel num_threads(2)
    {
        static int inside;
#pragma omp atomic
        inside++;
#pragma omp atomic
        calls++;
#pragma omp barrier
        if (inside % 2 != 0)
            abort();
    }
    return *pointer;
}
static int blocks(int n)
{
    struct point {
        int x;
        short y : 9;
    } p = {1, 2}, *q = &p;
    struct {
        double d;
        enum { RED = 3, GREEN } e;
    } unnamed = {2.5, GREEN};
    typedef struct point pair[2];
    pair two = {{1, 2}, {3, 4}};
    double _Complex z = 0;
    int first = 0, *second = &first, third[3] = {0};
    register int fast = n;
    __typeof__(unnamed) copy;
#pragma omp parallel num_threads(3) private(copy) reduction(+ : z)
    {
        struct point local = *q;
        copy = unnamed;
        z += copy.d * I + local.y + ({
                 int t = two[1].x;
                 t* RED;
             }) +
             fast;
#pragma omp critical
        {
            *second += copy.e;
            third[1]++;
            anonymous.b++;
            anonymous.a += sizeof(pair) / sizeof(struct point);
        }
    }
    if (cimag(z) != 7.5 || creal(z) != 3 * (2 + 9 + n))
        abort();
    if (first != 12 || third[1] != 3 || anonymous.b != 3 || anonymous.a != 6)
        abort();
    return fast;
}
static int listed(int n, va_list list)
{
    int sum = 0, memory[2] = {0};
#pragma omp allocate(memory) allocator(omp_default_mem_alloc)
#pragma omp parallel num_threads(2) shared(list)
#pragma omp single
    for (int i = 0; i < n; i++)
        sum += memory[i % 2] + va_arg(list, int);
    return sum;
}
static int variadic(int n, ...)
{
    va_list list;
    va_start(list, n);
    const int sum = listed(n, list);
    va_end(list);
    return sum;
}
static int old_style(a, b)
int a;
double* b;
{
#pragma omp parallel num_threads(2)
#pragma omp master
    b[0] = a;
    return (int)b[0];
}
int main(void)
{
    double d;
    if (vla(4, 7) != 27 || statics() != 2 || statics() != 4 || blocks(5) != 5 ||
        old_style(6, &d) != 6 || variadic(3, 1, 2, 3) != 6)
        abort();
    return 0;
}
