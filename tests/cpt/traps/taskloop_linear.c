/* Linear variables of taskloop simd have the value of the iteration, whichever task executes it. */
#include <stdlib.h>
static int a[24], of_file = 1;
static void check(int begin, int step, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != begin + step * i)
            abort();
}
static void loops(int by)
{
    int x = 5, i = 0, y = 0;
    char text[30], *p = text;
#pragma omp taskloop simd linear(x : 3) num_tasks(4) shared(a)
    for (int k = 0; k < 20; k++) {
        a[k] = x;
        x += 3;
    }
    if (x != 65)
        abort();
    check(5, 3, 20);
#pragma omp taskloop simd linear(i) linear(of_file : by) grainsize(strict : 5) shared(a)
    for (i = 2; i < 26; i++)
        a[i - 2] = of_file;
    if (i != 26 || of_file != 1 + 24 * by)
        abort();
    check(1, by, 24);
    of_file = 1;
#pragma omp taskloop simd collapse(2) linear(p, y : 2) num_tasks(5) shared(a, text)
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 5; m++)
            a[5 * k + m] = (int)(p - text) + y;
    if (p != text + 30 || y != 30)
        abort();
    check(0, 4, 15);
}
int main(void)
{
    loops(2);
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 20; i++)
        loops(i);
    return 0;
}
