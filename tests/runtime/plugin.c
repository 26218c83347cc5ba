// A plug-in with a region, for plugin_host.c.
#include <omp.h>

int plugin_work(void);
int plugin_work(void)
{
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += omp_get_thread_num();
    return sum;
}
