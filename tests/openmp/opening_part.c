/* A library whose constructor and destructor have regions. */
#include <stdlib.h>

static int own = 1;
#pragma omp threadprivate(own)

int members(int threads)
{
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
        sum += own;
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task
            own = 1;
        }
    }
    return sum;
}

__attribute__((constructor)) static void start(void)
{
    if (members(4) != 4)
        abort();
}

__attribute__((destructor)) static void end(void)
{
    if (members(4) != 4)
        abort();
}
