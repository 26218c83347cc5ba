// Members that allocate while the crew grows, nested regions, tasks with and without dependences:
// wherever the runtime allocates, too.
#include <stdio.h>
#include <stdlib.h>

static long fib(int n)
{
    if (n < 2)
        return n;
    long a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    long sum = 0;
    int chain[8] = {0};
#pragma omp parallel num_threads(16) reduction(+ : sum)
    {
        for (int i = 0; i < 20; i++) {
            void* const p = malloc(64 + i);
            sum += p != NULL;
#pragma omp parallel num_threads(3) reduction(+ : sum)
            {
                void* const q = malloc(32);
                sum += q != NULL;
                free(q);
            }
            free(p);
        }
#pragma omp single
        {
            sum += fib(14);
            for (int i = 0; i < 800; i++) {
#pragma omp task depend(inout : chain[i % 8]) priority(i % 3)
                chain[i % 8]++;
            }
        }
    }
    for (int i = 0; i < 8; i++)
        sum += chain[i];
    printf("%ld\n", sum);  // 16 * 20 * 4 + 377 + 800
}
