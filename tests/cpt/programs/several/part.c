#include "several.h"
int helper(int v)
{
    int q;
#pragma omp critical(name)
    {
        q = v + tp;
    }
    return q + conf.n;
}
void orphan(int n)
{
    double local = 0;
#pragma omp for reduction(+ : shared_sum) schedule(dynamic, 2)
    for (int i = 0; i < n; i++)
        shared_sum += i;
#pragma omp single nowait
    {
        local = 1;
        (void)local;
    }
#pragma omp for ordered
    for (int i = 0; i < 4; i++) {
#pragma omp ordered
        conf.n = 4;
    }
}
