// A member makes a task and waits for it in a loop of its own, which is no scheduling point:
// another member of its team must come for the task, even when no worker is idle.
#include "check.h"

#include <omp.h>
#include <unistd.h>

static int flag;

static void set_flag(void)
{
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}

static void await_flag(int naps)
{
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) {
        if (naps) {
            usleep(10);
        }
    }
}

// In a region of two inside of `member`'s part, while the other member keeps its worker busy.
static void in_nested_region(int member, int naps)
{
    int over = 0;
    flag = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == member) {
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 1) {
#pragma omp task
                set_flag();
                await_flag(naps);
            }
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        } else {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        }
    }
    CHECK(flag == 1);
}

// A task that waits, in a loop of taskyield, for its elder sibling, which it must not run itself.
static void in_another_task(void)
{
    flag = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        if (omp_get_level() == 2 && omp_get_ancestor_thread_num(1) == 1 &&
            omp_get_thread_num() == 1) {
#pragma omp task
            set_flag();
#pragma omp task
            while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
            }
        }
    }
    CHECK(flag == 1);
}

int main(void)
{
    omp_set_max_active_levels(2);
    for (int i = 0; i < 4; ++i) {
        in_nested_region(1, i % 2);
        in_another_task();
    }
    return finish("spun_on_tasks");
}
