/* The memory of tasks with dependences is given back when their creator has waited for them. */
#include <stdio.h>
#include <sys/resource.h>
static char address[20000];
static long megabytes(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss / 1024;
}
int main(void)
{
    struct {
        char text[8192];
    } large = {{0}};
    long sum = 0, first = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 2000; i++) {
#pragma omp task depend(out : address[2000 * round + i]) firstprivate(large)
            {
#pragma omp atomic
                sum += 1 + large.text[i];
            }
#pragma omp task depend(in : address[2000 * round + i / 2])
            {
#pragma omp atomic
                sum++;
            }
        }
#pragma omp taskwait
        if (round == 1)
            first = megabytes();
    }
    printf("%ld %d\n", sum, megabytes() - first < 50);
    return 0;
}
