// Members that wait for each other in loops without a call: everybody spins until the next member
// has set its flag. Argument: members; a second one: the same in nested teams. Compiled with
// -DYIELDING they call sched_yield in these loops.
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static void pass_token(int members)
{
    volatile int* const flag = calloc((size_t)members + 1, sizeof(int));
    flag[members] = 1;
#pragma omp parallel num_threads(members)
    {
        const int me = omp_get_thread_num();
        while (!flag[me + 1]) {
#ifdef YIELDING
            sched_yield();
#else
            __asm__ volatile("nop;nop;nop;nop" ::: "memory");
#endif
        }
        flag[me] = 1;
    }
    free((void*)flag);
}

int main(int count, char** arguments)
{
    const int members = count > 1 ? atoi(arguments[1]) : 16;
    if (count > 2) {
        omp_set_max_active_levels(2);
#pragma omp parallel num_threads(atoi(arguments[2]))
        pass_token(members);
    } else {
        for (int i = 0; i < 3; i++) {
            pass_token(members);
        }
    }
    puts("passed");
    return 0;
}
