#include "several.h"
#include <stdio.h>
int tp = 3;
double shared_sum;
struct cfg conf = {4, "x"};
int main(void)
{
    int r = 0;
    tp = 9;
#pragma omp parallel num_threads(4) copyin(tp) reduction(+ : r)
    {
        r += helper(tp) + inl(2);
        tp++;
        orphan(10);
    }
    printf("%d %d %g\n", r, tp, shared_sum);
    return 0;
}
