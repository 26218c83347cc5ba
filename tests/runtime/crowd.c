/* OpenBLAS called by several threads at once, in short: one thread after the other has a region,
   whose members wait for each other in loops that nobody can see; the other threads wait for their
   turn in loops just like that, outside of any region.

   usage: crowd THREADS MEMBERS ROUNDS */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int members, rounds, turn_taken, met[64];

static void region(void)
{
    for (int i = 0; i < members; ++i)
        __atomic_store_n(&met[i], 0, __ATOMIC_RELAXED);
#pragma omp parallel num_threads(members)
    {
        const int me = omp_get_thread_num();
        for (int step = 1; step <= 3; ++step) {
            __atomic_store_n(&met[me], step, __ATOMIC_RELEASE);
            for (int i = 0; i < members; ++i)
                while (__atomic_load_n(&met[i], __ATOMIC_ACQUIRE) < step)
                    ;
        }
    }
}

static void* thread(void* unused)
{
    for (int i = 0; i < rounds; ++i) {
        int free = 0;
        while (!__atomic_compare_exchange_n(&turn_taken, &free, 1, 0, __ATOMIC_ACQUIRE,
                                            __ATOMIC_RELAXED))
            free = 0;
        region();
        __atomic_store_n(&turn_taken, 0, __ATOMIC_RELEASE);
    }
    return unused;
}

int main(int count, char** arguments)
{
    pthread_t threads[16];
    const int n = count == 4 ? atoi(arguments[1]) : 0;
    members = count == 4 ? atoi(arguments[2]) : 0;
    rounds = count == 4 ? atoi(arguments[3]) : 0;
    if (n < 1 || n > 16 || members < 1 || members > 64)
        return fprintf(stderr, "usage: crowd THREADS MEMBERS ROUNDS\n"), 2;
    for (int i = 0; i < n; ++i)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < n; ++i)
        pthread_join(threads[i], NULL);
    puts("passed");
    return 0;
}
