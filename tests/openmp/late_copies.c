/* A region with reductions of tasks is cancelled: each member takes its own copies down, whenever
   it comes to it, and tasks of others may still add to theirs. So no member's leaving may take the
   copies away. Compilers call it as here, for reduction(task, ...) in a region with cancel
   parallel. libgomp frees them too early. */
#include "check.h"

#include <omp.h>
#include <stdint.h>
#include <time.h>

void GOMP_scope_start(uintptr_t* reductions);
void GOMP_workshare_task_reduction_unregister(_Bool cancelled);
_Bool GOMP_cancel(int which, _Bool requested);
_Bool GOMP_barrier_cancel(void);

extern void __libc_free(void*);
static _Atomic uintptr_t watched; /* where the copies are */
static _Atomic int gone;

void free(void* block)
{
    if (block != NULL && (uintptr_t)block == watched)
        gone = 1;
    __libc_free(block);
}

static void nap(void)
{
    const struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
}

static _Atomic int entered, left;

static void region(int members)
{
    enum { bytes = 64 };
    entered = left = gone = 0;
    watched = 0;
    long variable = 0;
#pragma omp parallel num_threads(members)
    {
        /* One variable of a block of 64 bytes. */
        uintptr_t array[] = {1, bytes, 16, (uintptr_t)-1, 0, 0, 0, (uintptr_t)&variable, 0, 0};
        GOMP_scope_start(array);
        const int me = omp_get_thread_num();
        char* const mine = (char*)array[2] + me * bytes;
        if (me == 0)
            watched = array[2];
        entered++;
        if (me == 0) {
            while (entered != members)
                nap();
            GOMP_cancel(1, 1);
            CHECK(GOMP_barrier_cancel());
            GOMP_workshare_task_reduction_unregister(1);
            left = 1;
        } else {
            while (!left)
                nap();
            CHECK(!gone);
            if (!gone)
                memset(mine, me, bytes);
            GOMP_workshare_task_reduction_unregister(1);
        }
    }
}

int main(void)
{
    for (int round = 0; round < 20 && getenv("UNDER_ARTEL") != NULL; round++) {
        region(3 + round % 4);
        /* They go in the end. */
        int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum++;
        CHECK(sum == 2);
        CHECK(gone);
        region(2);
    }
    return finish("late_copies");
}
