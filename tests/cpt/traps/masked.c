/* Clauses of parallel combined with master and masked belong to the region. */
#include <omp.h>
#include <stdlib.h>
int main(void)
{
    int x = 3, sum = 1, tasks = 0, array[2] = {1, 1}, first = 4;
#pragma omp parallel master num_threads(3) reduction(+ : sum, array) private(x) firstprivate(first)
    {
        x = omp_get_thread_num() + 1;
        sum += x;
        array[1] += 5;
        first++;
    }
    if (x != 3 || sum != 2 || array[0] != 1 || array[1] != 6 || first != 4)
        abort();
#pragma omp parallel masked filter(1) num_threads(3) private(x) reduction(task, + : tasks)
    {
        x = 7;
#pragma omp task in_reduction(+ : tasks) firstprivate(x)
        tasks += x;
        tasks += 10;
    }
    if (x != 3 || tasks != 17)
        abort();
    return 0;
}
