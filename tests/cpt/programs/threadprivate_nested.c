/* Threadprivate variables of a thread that opens a region: its first member is that thread. */
#include <omp.h>
#include <stdio.h>
#include <sys/resource.h>
static int own = 1;
static char large[1000000];
#pragma omp threadprivate(own, large)
static void set(int v)
{
    own = v;
}
static int get(void)
{
    return own;
}
static void fill(int v)
{
    large[5] = (char)v;
}
static long megabytes(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss / 1024;
}
static void open_regions(int times)
{
#pragma omp parallel num_threads(2)
    for (int i = 0; i < times; i++) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(1)
            fill(i);
        }
    }
}
int main(void)
{
    int seen[3] = {0};
    omp_set_max_active_levels(5);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    if (omp_get_ancestor_thread_num(1) == 1 && omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(1)
        set(42);
        seen[0] = get();
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0)
            set(43);
        seen[1] = get();
    }
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    if (omp_get_ancestor_thread_num(1) == 1 && omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(1)
        set(77);
#pragma omp parallel num_threads(1)
        seen[2] = get();
    }
    for (int i = 0; i < 3; i++)
        printf("%d ", seen[i]);
    open_regions(10);
    const long before = megabytes();
    open_regions(100);
    printf("%d\n", megabytes() - before < 50);
    return 0;
}
