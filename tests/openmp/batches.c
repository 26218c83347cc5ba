/* Loops whose pieces are taken in batches (in clang's build): iterations are executed once, and
 * whoever has nothing to do takes from the batches of others, so that iterations which wait for
 * each other meet, wherever in a batch they are. */
#include "check.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int arrived;

/* Iterations `at` and the next one wait for each other. */
static void meet(int i, int at)
{
    if (i == at || i == at + 1) {
        __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
        while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < 2)
            sched_yield();
    }
}

static void meetings(int threads, int count)
{
    for (int round = 0; round < 50; round++) {
        arrived = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < count; i++)
            meet(i, count - 2 - round);
        CHECK(arrived == 2);
        arrived = 0;
        /* Pieces of one iteration are as many as there are members. */
#pragma omp parallel for schedule(guided) num_threads(threads)
        for (int i = 0; i < count; i++)
            meet(i, count - (threads > 2 ? 3 : 2));
        CHECK(arrived == 2);
    }
}

/* Long iterations behind very short ones, several loops without barriers between them, and loops
 * that differ from the last. */
static void uneven(int threads, int count)
{
    int* const times = calloc((size_t)count, sizeof *times);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < count; i++) {
            if (i % 1000 == 999)
                for (volatile int k = 0; k < 5000; k++)
                    ;
#pragma omp atomic
            times[i]++;
        }
#pragma omp for schedule(guided, 3) nowait
        for (int i = count - 1; i >= 0; i--) {
#pragma omp atomic
            times[i]++;
        }
#pragma omp for schedule(nonmonotonic : dynamic, 7)
        for (int i = 0; i < count; i++) {
#pragma omp atomic
            times[i]++;
        }
#pragma omp for schedule(runtime)
        for (int i = 0; i < count; i++) {
#pragma omp atomic
            times[i]++;
        }
    }
    for (int i = 0; i < count; i++)
        CHECK(times[i] == 4);
    free(times);
}

/* A loop that is left in the middle of a batch, and more than 256 loops later one with the same
 * place in the team's ring. */
static void cancelled(int threads)
{
    int sum = 0;
    for (int round = 0; round < 4; round++) {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 5000; i++) {
                if (i == 3000) {
#pragma omp cancel for
                }
            }
            for (int loop = 0; loop < 300; loop++) {
#pragma omp for schedule(dynamic)
                for (int i = 0; i < 1000; i++)
                    sum++;
            }
        }
    }
    CHECK(sum == 4 * 300 * 1000);
}

int main(void)
{
    omp_set_schedule(omp_sched_dynamic, 1);
    static const int sizes[] = {2, 3, 4, 16, 33, 70};
    for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++) {
        meetings(sizes[t], 3000);
        for (int count = 1; count < 30000; count = count * 3 + (int)t)
            uneven(sizes[t], count);
        if (sizes[t] <= 16)
            cancelled(sizes[t]);
    }
    return finish("batches");
}
