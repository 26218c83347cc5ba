/* nest_locks.c — who holds a nestable lock: in programs of gcc the task that took it, in programs
 * of clang the thread, whatever task or region it is in meanwhile. */
#include "check.h"

#include <omp.h>

#ifdef __clang__
enum { belongs_to_thread = 1 };
#else
enum { belongs_to_thread = 0 };
#endif

/* How often the lock is held after another try by the holder's thread in another task, where it is
 * held `times` times before; leaves it as it was. */
static void try_as_same_thread(omp_nest_lock_t* lock, int times)
{
    const int got = omp_test_nest_lock(lock);
    CHECK(got == (belongs_to_thread ? times + 1 : 0));
    if (got != 0) {
        omp_set_nest_lock(lock);
        omp_unset_nest_lock(lock);
        omp_unset_nest_lock(lock);
    }
}

static void try_as_other_thread(omp_nest_lock_t* lock)
{
    CHECK(omp_test_nest_lock(lock) == 0);
}

/* Each member of the outer region has a lock, and holds it when it meets an inner one. */
static void inner_regions(int threads, int inner_threads)
{
#pragma omp parallel num_threads(threads)
    {
        omp_nest_lock_t lock;
        omp_init_nest_lock(&lock);
        for (int round = 0; round < 20; ++round) {
            CHECK(omp_test_nest_lock(&lock) == 1);
            omp_set_nest_lock(&lock);
#pragma omp parallel num_threads(inner_threads)
            {
                if (omp_get_thread_num() == 0) {
                    try_as_same_thread(&lock, 2);
                } else {
                    try_as_other_thread(&lock);
                }
#pragma omp parallel num_threads(1)
                if (omp_get_ancestor_thread_num(2) == 0) {
                    try_as_same_thread(&lock, 2);
                }
            }
            CHECK(omp_test_nest_lock(&lock) == 3);
            omp_unset_nest_lock(&lock);
            omp_unset_nest_lock(&lock);
            omp_unset_nest_lock(&lock);
        }
        omp_destroy_nest_lock(&lock);
    }
}

/* Tasks that the holder's thread runs, at once or while it waits. */
static void tasks(int threads)
{
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < 20; ++round) {
        const int holder = omp_get_thread_num();
        omp_set_nest_lock(&lock);
#pragma omp task if (0)
        try_as_same_thread(&lock, 1);
        for (int k = 0; k < 10; ++k) {
#pragma omp task
            if (omp_get_thread_num() == holder) {
                try_as_same_thread(&lock, 1);
            } else {
                try_as_other_thread(&lock);
            }
        }
#pragma omp taskwait
        CHECK(omp_test_nest_lock(&lock) == 2);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
}

static void exclusion(int threads)
{
    omp_nest_lock_t lock;
#ifdef __clang__
    omp_init_nest_lock_with_hint(&lock, omp_lock_hint_contended);
#else
    omp_init_nest_lock(&lock);
#endif
    long sum = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 500; ++i) {
        if (i % 2 == 0) {
            omp_set_nest_lock(&lock);
        } else {
            while (omp_test_nest_lock(&lock) == 0) {
#pragma omp taskyield
            }
        }
        omp_set_nest_lock(&lock);
        ++sum;
        omp_unset_nest_lock(&lock);
        ++sum;
        omp_unset_nest_lock(&lock);
    }
    CHECK(sum == 1000L * threads);
    omp_destroy_nest_lock(&lock);
}

int main(void)
{
    omp_set_max_active_levels(3);
    static const int sizes[] = {1, 2, 5};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
            inner_regions(sizes[i], sizes[k]);
        }
        tasks(sizes[i]);
        exclusion(sizes[i]);
    }
    return finish("nest_locks");
}
