/* Functions that stand for others in some contexts, and metadirectives that become nothing. */
#include <stdlib.h>
int in_parallel(int x);
int in_parallel(int x)
{
    return x + 100;
}
int dispatched(int x);
int on_other_machines(int x);
#pragma omp declare variant(in_parallel) match(construct = {parallel})
#pragma omp declare variant(dispatched) match(construct = {dispatch}) adjust_args(nothing : x)
#pragma omp declare variant(on_other_machines) match(device = {arch(nvptx)})
int base(int x);
int base(int x)
{
    return x;
}
int dispatched(int x)
{
    return x + 1000;
}
int on_other_machines(int x)
{
    return -x;
}
static int sum_of(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
#pragma omp begin declare variant match(construct = {parallel})
static int sum_of(int n)
{
    int sum = 0;
#pragma omp for
    for (int i = 0; i < n; i++)
        sum += i;
    return sum >= 0 ? 2 : 0;
}
#pragma omp end declare variant
#pragma omp begin declare variant match(device = {arch(nvptx)})
static int sum_of(int n)
{
#pragma omp parallel
    not C;
}
#pragma omp end declare variant
static int without_directives(void)
{
    return base(3) + sum_of(4);
}
int main(void)
{
    int sum = 0, x = 0, yes = 1, no = 0, times = 0;
    if (base(1) != 1 || without_directives() != 9)
        abort();
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += base(1) + (base)(2) + sum_of(10) + without_directives();
    if (sum != 3 * (101 + 102 + 2 + 9))
        abort();
#pragma omp dispatch
    x = base(5);
    if (x != 1005)
        abort();
#pragma omp dispatch novariants(yes)
    x = base(times++);
    if (x != 0 || times != 1)
        abort();
#pragma omp dispatch nocontext(no) nowait
    x = base(times++);
    if (x != 1001 || times != 2)
        abort();
#pragma omp task depend(out : x) shared(x)
    x = 7;
#pragma omp dispatch depend(in : x)
    sum = base(4);
    if (x != 7 || sum != 1004)
        abort();
    sum = 0;
#pragma omp metadirective when(device = {arch(nvptx)} : parallel for) default(nothing)
    for (int i = 0; i < 5; i++)
        sum += i;
    return sum != 10;
}
