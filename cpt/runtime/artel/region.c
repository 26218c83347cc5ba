/* Regions, and the constructs at which members wait for each other or exclude each other. */
#include "../regions/regions.h"
#include "gomp.h"

/* Members keep their thread-local storage wherever they run. */
static __thread struct cp_caller caller;
__attribute__((noinline)) struct cp_caller* cp_calling(void)
{
    return &caller;
}
unsigned cp_default_threads(void)
{
    return (unsigned)omp_get_max_threads();
}
/* There are no parts: the crew's workers serve all nodes. */
void* cp_open_part(const char* numas)
{
    (void)numas;
    return NULL;
}
void cp_close_part(void* part)
{
    (void)part;
}
const char* cp_name(void)
{
    return "artel";
}
void cp_region(void (*body)(void*), void* frame, unsigned threads, unsigned bind,
               const struct cp_zone* zone)
{
    (void)zone;
    GOMP_parallel(body, frame, threads, bind);
}

CP void __cp_teams(void (*body)(void*), void* frame, unsigned teams, unsigned limit)
{
    GOMP_teams_reg(body, frame, teams, limit, 0);
}

CP void __cp_target(void (*body)(void*), void* frame, int device, unsigned limit)
{
    /* The list of arguments ends with a null pointer. The thread limit is argument kind 2, in the
     * second byte. */
    void* arguments[] = {limit != 0 ? (void*)((uintptr_t)limit << 16 | 2 << 8) : NULL, NULL};
    GOMP_target_ext(device, body, 0, frame, NULL, NULL, 0, NULL, arguments);
}

CP int __cp_thread_number(void)
{
    return omp_get_thread_num();
}
CP int __cp_team_size(void)
{
    return omp_get_num_threads();
}

CP unsigned __cp_sections_start(unsigned n)
{
    return GOMP_sections_start(n);
}
CP unsigned __cp_sections_next(void)
{
    return GOMP_sections_next();
}
CP void __cp_sections_end(void)
{
    GOMP_sections_end();
}
CP void __cp_sections_end_nowait(void)
{
    GOMP_sections_end_nowait();
}
CP int __cp_sections_end_cancel(void)
{
    return GOMP_sections_end_cancel();
}
CP int __cp_single_start(void)
{
    return GOMP_single_start();
}
CP void** __cp_single_copy_start(void)
{
    return GOMP_single_copy_start();
}
CP void __cp_single_copy_end(void** list)
{
    GOMP_single_copy_end(list);
}

CP void __cp_critical_start(void** name)
{
    if (name == NULL) {
        GOMP_critical_start();
    } else {
        GOMP_critical_name_start(name);
    }
}

CP void __cp_critical_end(void** name)
{
    if (name == NULL) {
        GOMP_critical_end();
    } else {
        GOMP_critical_name_end(name);
    }
}

CP void __cp_atomic_start(void)
{
    GOMP_atomic_start();
}
CP void __cp_atomic_end(void)
{
    GOMP_atomic_end();
}

/* Not the lock of atomic: a combiner is the user's code and may use atomic. */
static void* reduction_lock;
CP void __cp_reduce_begin(void)
{
    GOMP_critical_name_start(&reduction_lock);
}
CP void __cp_reduce_end(void)
{
    GOMP_critical_name_end(&reduction_lock);
}

CP void __cp_barrier(void)
{
    GOMP_barrier();
}
CP int __cp_barrier_cancel(void)
{
    return GOMP_barrier_cancel();
}
/* A full fence: pairs with those of the other threads that flush. */
CP void __cp_flush(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
CP int __cp_cancel(unsigned what, int really)
{
    return GOMP_cancel((int)what, really != 0);
}
CP int __cp_cancellation_point(unsigned what)
{
    return GOMP_cancellation_point((int)what);
}
