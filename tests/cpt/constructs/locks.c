/* The functions of locks. */
#include "row.h"

static int locks(int with_test)
{
    omp_lock_t lock;
    int sum = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 100; i++) {
        if (!with_test) {
            omp_set_lock(&lock);
        } else {
            while (!omp_test_lock(&lock)) {
            }
        }
        int before = sum;
        if (i % 10 == 0) {
#pragma omp taskyield
        }
        sum = before + 1;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return sum != 100 * threads;
}
static int init_lock(void)
{
    /* Each of many is a lock of its own, free from the start. */
    omp_lock_t all[20];
    int wrong = 0;
    for (int i = 0; i < 20; i++)
        omp_init_lock(&all[i]);
    for (int i = 0; i < 20; i++)
        wrong += !omp_test_lock(&all[i]);
    for (int i = 0; i < 20; i++) {
        omp_unset_lock(&all[i]);
        omp_destroy_lock(&all[i]);
    }
    return wrong;
}
static int destroy_lock(void)
{
    /* A lock can be initialised again in the memory of a destroyed one. */
    omp_lock_t lock;
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
        {
            omp_set_lock(&lock);
            sum++;
            omp_unset_lock(&lock);
        }
        omp_destroy_lock(&lock);
    }
    return sum != 20 * threads;
}
static int set_lock(void)
{
    return locks(0);
}
static int unset_lock(void)
{
    /* A waiting thread gets the lock when its owner releases it, even if the owner waited in
     * between. */
    omp_lock_t lock;
    int waiting = 0, order = 0, got = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
#pragma omp barrier
            int seen = 0;
            while (!seen) {
#pragma omp flush
#pragma omp atomic read
                seen = waiting;
            }
            order = 1;
            omp_unset_lock(&lock);
        } else {
#pragma omp barrier
#pragma omp atomic write
            waiting = 1;
            omp_set_lock(&lock);
            got = order;
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    return got != 1;
}
static int test_lock(void)
{
    return locks(1);
}
static int nest_lock(void)
{
    omp_nest_lock_t lock;
    int sum = 0, deepest = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(threads)
    {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        int depth = omp_test_nest_lock(&lock);
        deepest = depth > deepest ? depth : deepest;
        sum++;
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    return sum != threads || deepest != 3;
}

const struct row rows[] = {
    {"omp_init_lock", init_lock},
    {"omp_destroy_lock", destroy_lock},
    {"omp_set_lock", set_lock},
    {"omp_unset_lock", unset_lock},
    {"omp_test_lock", test_lock},
    {"nest locks", nest_lock},
    {NULL, NULL},
};
