/* taskyield and untied tasks as clang compiles them: their parts, and which tasks a yield may run.
 */
#include "check.h"

#include <omp.h>

static int flag;

static void set_flag(void)
{
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}

static void await_flag(void)
{
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) {
    }
}

static void yield_until_flag(void)
{
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
    }
}

/* The constraint of task scheduling is one for tied tasks. */
static void yields_of_untied_tasks(void)
{
    for (int untied = 0; untied < 2; untied++) {
        flag = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
        for (int i = 0; i < 5; i++) {
            if (untied && i != 2) {
#pragma omp task untied
                yield_until_flag();
            } else if (untied) {
#pragma omp task
                set_flag();
            } else if (i != 2) {
#pragma omp task
                yield_until_flag();
            } else {
#pragma omp task untied
                set_flag();
            }
        }
        CHECK(flag == 1);
    }
}

/* The constraint leaves out implicit tasks: whoever runs the untied one runs its sibling, too. */
static void yields_beside_a_busy_maker(void)
{
    flag = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task untied
        yield_until_flag();
#pragma omp task
        set_flag();
        await_flag();
    }
    /* Nor does one that may not run hide another that may. */
    int others = 0;
    flag = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task
        yield_until_flag();
#pragma omp task shared(others)
        {
#pragma omp atomic
            others++;
        }
#pragma omp task untied
        set_flag();
        await_flag();
    }
    CHECK(others == 1);
    flag = 0;
#pragma omp parallel num_threads(1)
    {
        int x = 0;
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
        {
        }
#pragma omp task depend(in : x)
        set_flag();
#pragma omp task untied
        {
            omp_fulfill_event(event);
            yield_until_flag();
        }
    }
    CHECK(flag == 1);
}

/* taskyield gives another task a turn: what is left of an untied one is for any member, also when
   its group has been cancelled meanwhile. */
static void turns_of_untied_tasks(void)
{
    const int artel = getenv("UNDER_ARTEL") != NULL;
    for (int cancels = 0; cancels < 1 + artel; cancels++) { /* libomp drops what is left */
        flag = 0;
        int parts = 0, at_return = 0;
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
            {
#pragma omp task untied shared(parts)
                {
#pragma omp atomic
                    parts++;
#pragma omp taskyield
#pragma omp atomic
                    parts++;
                }
#pragma omp task shared(parts, at_return)
                {
#pragma omp taskyield
#pragma omp atomic read
                    at_return = parts;
                    set_flag();
#pragma omp cancel taskgroup if (cancels)
                }
            }
        } else {
            await_flag(); /* meanwhile the other member runs all tasks */
        }
        CHECK(at_return == artel && parts == 2); /* libomp's first part is an empty one */
    }
}

/* An untied task that goes on on another thread still owns its nestable lock. */
static void locks_of_untied_tasks(void)
{
    int begun = 0, over = 0;
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
    flag = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task shared(begun, over)
        {
            while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
            }
            set_flag();
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        }
#pragma omp task untied shared(begun, over, lock)
        {
            omp_set_nest_lock(&lock);
            __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
#pragma omp taskyield
            omp_set_nest_lock(&lock);
#pragma omp task if (0) shared(lock)
            CHECK(omp_test_nest_lock(&lock) == 3);
            for (int i = 0; i < 3; i++) {
                omp_unset_nest_lock(&lock);
            }
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
        await_flag();
    }
    CHECK(over == 1 && omp_test_nest_lock(&lock) == 1);
#pragma omp task untied shared(lock)
    CHECK(omp_test_nest_lock(&lock) == 2);
#pragma omp taskwait
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
#pragma omp task untied shared(lock)
    {
        omp_set_nest_lock(&lock);
#pragma omp parallel num_threads(1)
        CHECK(omp_test_nest_lock(&lock) == 2);
        omp_unset_nest_lock(&lock);
    }
#pragma omp taskwait
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
}

int main(void)
{
    yields_of_untied_tasks();
    yields_beside_a_busy_maker();
    turns_of_untied_tasks();
    if (getenv("UNDER_ARTEL") != NULL) /* libomp's locks belong to threads */
        locks_of_untied_tasks();
    return finish("kmp_yields");
}
