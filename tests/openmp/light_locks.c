/* light_locks.c — nestable locks and light threads: each holds for itself, whichever worker carries
 * it, and in its regions. Runs under Artel only. */
#include "check.h"

#include <artel.h>
#include <omp.h>

enum { light_threads = 4, rounds = 50 };

static omp_nest_lock_t lock;
static int inside;

static void hold_by_turns(void* context)
{
    (void)context;
    for (int i = 0; i < rounds; ++i) {
        omp_set_nest_lock(&lock);
        CHECK(__atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED) == 1);
        artel_sleep_for(200000);
        CHECK(omp_test_nest_lock(&lock) == 2);
        omp_unset_nest_lock(&lock);
        __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
        omp_unset_nest_lock(&lock);
    }
}

#ifdef __clang__
/* The lock belongs to the light thread, also where its region is. */
static void hold_in_region(void* context)
{
    (void)context;
    omp_set_nest_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        const int times = omp_test_nest_lock(&lock);
        CHECK(times == (omp_get_thread_num() == 0 ? 2 : 0));
        if (times != 0) {
            omp_unset_nest_lock(&lock);
        }
    }
    omp_unset_nest_lock(&lock);
}
#else
__asm__(".symver old_init, omp_init_nest_lock@OMP_1.0");
__asm__(".symver old_set, omp_set_nest_lock@OMP_1.0");
__asm__(".symver old_unset, omp_unset_nest_lock@OMP_1.0");
__asm__(".symver old_test, omp_test_nest_lock@OMP_1.0");
void old_init(void*), old_set(void*), old_unset(void*);
int old_test(void*);

static char old_lock[8];

static void hold_old_by_turns(void* context)
{
    (void)context;
    for (int i = 0; i < rounds; ++i) {
        old_set(old_lock);
        CHECK(__atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED) == 1);
        artel_sleep_for(200000);
        CHECK(old_test(old_lock) == 2);
        old_unset(old_lock);
        __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
        old_unset(old_lock);
    }
}
#endif

static void on_light_threads(void (*function)(void*))
{
    artel_light_thread* all[light_threads];
    for (int i = 0; i < light_threads; ++i) {
        CHECK(artel_light_thread_start(&all[i], function, NULL) == 0);
    }
    artel_sleep_for(1000000); /* so that workers take them */
    for (int i = 0; i < light_threads; ++i) {
        artel_light_thread_join(all[i]);
    }
}

int main(void)
{
    omp_init_nest_lock(&lock);
    on_light_threads(hold_by_turns);
#ifdef __clang__
    on_light_threads(hold_in_region);
#else
    old_init(old_lock);
    on_light_threads(hold_old_by_turns);
#endif
    omp_destroy_nest_lock(&lock);
    return finish("light_locks");
}
