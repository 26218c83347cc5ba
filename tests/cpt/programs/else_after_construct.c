#include <omp.h>
#include <stdio.h>
static int hits[3];
static void f(int c)
{
    if (c)
#pragma omp master
        hits[0]++;
    else
        hits[1]++;
    if (c)
#pragma omp single nowait
    {
    } else {
#pragma omp atomic
        hits[2]++;
    }
    for (int k = 0; k < 2; k++)
#pragma omp masked filter(0)
        for (int i = 0; i < 2; i++)
            if (i == c)
                hits[0]++;
            else {
            }
    while (c-- > 0)
#pragma omp critical
        hits[2] += 10;
}
int main(void)
{
    f(1);
    f(0);
    f(2);
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 0)
#pragma omp task
        hits[0] += 100;
    else
#pragma omp task
    {
#pragma omp atomic
        hits[1] += 100;
    }
    printf("%d %d %d\n", hits[0], hits[1], hits[2]);
    return 0;
}
