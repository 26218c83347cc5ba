// Eight threads of the program, ten generations of them, each with regions of its own at the same
// time.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static void* caller(void* unused)
{
    (void)unused;
    long sum = 0;
    for (int region = 0; region < 300; region++) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
        {
            sum += omp_get_thread_num();
#pragma omp barrier
        }
    }
    return (void*)sum;
}

int main(void)
{
    for (int generation = 0; generation < 10; generation++) {
        pthread_t threads[8];
        for (int i = 0; i < 8; i++) {
            pthread_create(&threads[i], NULL, caller, NULL);
        }
        for (int i = 0; i < 8; i++) {
            void* sum;
            pthread_join(threads[i], &sum);
            if ((long)sum != 900) {
                printf("%ld instead of 900\n", (long)sum);
                return 1;
            }
        }
    }
    puts("900 everywhere");
    return 0;
}
