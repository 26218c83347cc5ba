/* Pragmas out of macros, out of an included file, and in the middle of a line of others. */
#include <stdlib.h>
#define PARALLEL(n) DO_PRAGMA(omp parallel num_threads(3) reduction(+ : n))
#define DO_PRAGMA(x) _Pragma(#x)
#define LOOP(i, n) DO_PRAGMA(omp parallel for num_threads(4) reduction(+:sum)) \
    for (int i = 0; i < n; i++)
#define TWICE(statement) \
    do {                 \
        statement;       \
        statement;       \
    } while (0)
static int total;
static void add(int n)
{
#include "macros_part.h"
}
static int in_between(int n)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
#include "macros_body.h"
        ;
    return sum;
}
int main(void)
{
    int count = 0, sum = 0;
    PARALLEL(count) count++;
    if (count != 3)
        abort();
    LOOP(k, 10) sum += k;
    if (sum != 45)
        abort();
    TWICE(PARALLEL(count) count++);
    if (count != 9)
        abort();
    add(5);
    if (total != 20 || in_between(5) != 10)
        abort();
    return 0;
}
