/* libcp-artel.so: cp.h on the crew, through the C interface of the OpenMP drop-in
 * (libgomp-artel.so.1, whose soname is libgomp.so.1). It includes nothing of the drop-in's; all it
 * needs of it are names with a stable ABI. Members of a team are light threads with TLS of their
 * own there, and barriers, locks and waits suspend them. What was loaded under libgomp's soname
 * before (artel run, a program that is linked to libgomp itself) is used as it is.
 *
 * No value of TLS is kept here: everything is asked of the runtime anew, in calls that cannot be
 * inlined. */
#include "../include/cp.h"
#include "../regions/regions.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CP __attribute__((visibility("default")))

extern int omp_get_thread_num(void);
extern int omp_get_num_threads(void);
extern int omp_get_max_threads(void);
extern int omp_get_team_num(void);
extern int omp_get_num_teams(void);
extern void GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);
extern void GOMP_teams_reg(void (*)(void*), void*, unsigned, unsigned, unsigned);
extern bool GOMP_loop_ull_start(bool, __cp_ull, __cp_ull, __cp_ull, long, __cp_ull, __cp_ull*,
                                __cp_ull*, uintptr_t*, void**);
extern bool GOMP_loop_ull_ordered_start(bool, __cp_ull, __cp_ull, __cp_ull, long, __cp_ull,
                                        __cp_ull*, __cp_ull*, uintptr_t*, void**);
extern bool GOMP_loop_ull_doacross_start(unsigned, __cp_ull*, long, __cp_ull, __cp_ull*, __cp_ull*,
                                         uintptr_t*, void**);
extern bool GOMP_loop_ull_static_next(__cp_ull*, __cp_ull*);
extern bool GOMP_loop_ull_dynamic_next(__cp_ull*, __cp_ull*);
extern bool GOMP_loop_ull_guided_next(__cp_ull*, __cp_ull*);
extern bool GOMP_loop_ull_runtime_next(__cp_ull*, __cp_ull*);
extern bool GOMP_loop_ull_ordered_static_next(__cp_ull*, __cp_ull*);
extern bool GOMP_loop_ull_ordered_dynamic_next(__cp_ull*, __cp_ull*);
extern bool GOMP_loop_ull_ordered_guided_next(__cp_ull*, __cp_ull*);
extern bool GOMP_loop_ull_ordered_runtime_next(__cp_ull*, __cp_ull*);
extern void GOMP_loop_end(void);
extern void GOMP_loop_end_nowait(void);
extern bool GOMP_loop_end_cancel(void);
extern void GOMP_ordered_start(void);
extern void GOMP_ordered_end(void);
extern void GOMP_doacross_ull_post(__cp_ull*);
extern void GOMP_doacross_ull_wait(__cp_ull, ...);
extern unsigned GOMP_sections_start(unsigned);
extern unsigned GOMP_sections_next(void);
extern void GOMP_sections_end(void);
extern void GOMP_sections_end_nowait(void);
extern bool GOMP_sections_end_cancel(void);
extern bool GOMP_single_start(void);
extern void* GOMP_single_copy_start(void);
extern void GOMP_single_copy_end(void*);
extern void GOMP_critical_start(void);
extern void GOMP_critical_end(void);
extern void GOMP_critical_name_start(void**);
extern void GOMP_critical_name_end(void**);
extern void GOMP_atomic_start(void);
extern void GOMP_atomic_end(void);
extern void GOMP_barrier(void);
extern bool GOMP_barrier_cancel(void);
extern bool GOMP_cancel(int, bool);
extern bool GOMP_cancellation_point(int);
extern void GOMP_task(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned,
                      void**, int, void*);
extern void GOMP_taskloop_ull(void (*)(void*), void*, void (*)(void*, void*), long, long, unsigned,
                              unsigned long, int, __cp_ull, __cp_ull, __cp_ull);
extern void GOMP_taskwait(void);
extern void GOMP_taskwait_depend(void**);
extern void GOMP_taskyield(void);
extern void GOMP_taskgroup_start(void);
extern void GOMP_taskgroup_end(void);
extern void GOMP_taskgroup_reduction_register(uintptr_t*);
extern void GOMP_taskgroup_reduction_unregister(uintptr_t*);
extern void GOMP_task_reduction_remap(size_t, size_t, void**);
extern void GOMP_scope_start(uintptr_t*);
extern void GOMP_workshare_task_reduction_unregister(bool);

/* Members have thread-local storage of their own, which goes with them. */
static __thread struct cp_caller caller;
__attribute__((noinline)) struct cp_caller* cp_calling(void)
{
    return &caller;
}
unsigned cp_default_threads(void)
{
    return (unsigned)omp_get_max_threads();
}
/* The crew's workers take what there is, on any node. */
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

CP int __cp_thread_number(void)
{
    return omp_get_thread_num();
}
CP int __cp_team_size(void)
{
    return omp_get_num_threads();
}

/* Schedules are numbered as libgomp numbers them; its highest bit means monotonic. */
static long schedule_of(int schedule)
{
    return (schedule & 7) | ((schedule & 256) != 0 ? (long)0x80000000 : 0);
}

CP int __cp_loop_start(__cp_ull n, int schedule, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi)
{
    return (schedule & 512) != 0 ? GOMP_loop_ull_ordered_start(true, 0, n, 1, schedule_of(schedule),
                                                               chunk, lo, hi, NULL, NULL)
                                 : GOMP_loop_ull_start(true, 0, n, 1, schedule_of(schedule), chunk,
                                                       lo, hi, NULL, NULL);
}

CP int __cp_loop_next(int schedule, __cp_ull* lo, __cp_ull* hi)
{
    const bool ordered = (schedule & 512) != 0;
    switch (schedule & 7) {
    case 1:
        return ordered ? GOMP_loop_ull_ordered_static_next(lo, hi)
                       : GOMP_loop_ull_static_next(lo, hi);
    case 2:
        return ordered ? GOMP_loop_ull_ordered_dynamic_next(lo, hi)
                       : GOMP_loop_ull_dynamic_next(lo, hi);
    case 3:
        return ordered ? GOMP_loop_ull_ordered_guided_next(lo, hi)
                       : GOMP_loop_ull_guided_next(lo, hi);
    default:
        return ordered ? GOMP_loop_ull_ordered_runtime_next(lo, hi)
                       : GOMP_loop_ull_runtime_next(lo, hi);
    }
}

CP void __cp_loop_end(void)
{
    GOMP_loop_end();
}
CP void __cp_loop_end_nowait(void)
{
    GOMP_loop_end_nowait();
}
CP int __cp_loop_end_cancel(void)
{
    return GOMP_loop_end_cancel();
}

static void part(__cp_ull n, __cp_ull index, __cp_ull all, __cp_ull* lo, __cp_ull* hi)
{
    const __cp_ull share = n / all, more = n % all;
    *lo = index * share + (index < more ? index : more);
    *hi = *lo + share + (index < more ? 1 : 0);
}

CP void __cp_static(__cp_ull n, __cp_ull* lo, __cp_ull* hi)
{
    part(n, (__cp_ull)omp_get_thread_num(), (__cp_ull)omp_get_num_threads(), lo, hi);
}

static void chunks(__cp_ull n, __cp_ull chunk, __cp_ull index, __cp_ull all, __cp_ull* lo,
                   __cp_ull* hi, __cp_ull* stride)
{
    *lo = index * chunk;
    *hi = *lo + chunk;
    *stride = all * chunk;
    (void)n;
}

CP void __cp_static_chunks(__cp_ull n, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi, __cp_ull* stride)
{
    chunks(n, chunk == 0 ? 1 : chunk, (__cp_ull)omp_get_thread_num(),
           (__cp_ull)omp_get_num_threads(), lo, hi, stride);
}

CP void __cp_distribute(__cp_ull n, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi, __cp_ull* stride)
{
    const __cp_ull team = (__cp_ull)omp_get_team_num(), all = (__cp_ull)omp_get_num_teams();
    if (chunk != 0) {
        chunks(n, chunk, team, all, lo, hi, stride);
        return;
    }
    part(n, team, all, lo, hi);
    if (*lo == *hi) {
        *lo = n;
    }
    *stride = n;
}

CP void __cp_ordered_start(void)
{
    GOMP_ordered_start();
}
CP void __cp_ordered_end(void)
{
    GOMP_ordered_end();
}

enum { most_levels = 16 };

CP int __cp_doacross_start(unsigned levels, const __cp_ull* counts, int schedule, __cp_ull chunk,
                           __cp_ull* lo, __cp_ull* hi)
{
    __cp_ull copy[most_levels];
    memcpy(copy, counts, sizeof(__cp_ull) * (levels < most_levels ? levels : most_levels));
    return GOMP_loop_ull_doacross_start(levels, copy, schedule_of(schedule), chunk, lo, hi, NULL,
                                        NULL);
}

CP void __cp_doacross_post(const __cp_ull* iteration)
{
    GOMP_doacross_ull_post((__cp_ull*)iteration);
}

CP void __cp_doacross_wait(unsigned levels, const __cp_ull* iteration)
{
    __cp_ull x[most_levels] = {0};
    memcpy(x, iteration, sizeof(__cp_ull) * (levels < most_levels ? levels : most_levels));
    GOMP_doacross_ull_wait(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11],
                           x[12], x[13], x[14], x[15]);
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

/* libgomp's list of dependences, all as depend objects, which are pairs as ours. */
static void** dependences(void** depend, unsigned n, void** list)
{
    list[0] = NULL;
    list[1] = (void*)(uintptr_t)n;
    list[2] = list[3] = list[4] = NULL;
    for (unsigned i = 0; i < n; ++i) {
        list[5 + i] = &depend[2 * i];
    }
    return list;
}

CP void __cp_task(void (*body)(void*), void* frame, unsigned long bytes, unsigned long alignment,
                  int deferred, unsigned flags, void** depend, unsigned n, int priority,
                  void* event)
{
    void* list[n + 5];
    unsigned bits = flags & 7;
    if (n != 0) {
        dependences(depend, n, list);
        bits |= 8;
    }
    if (priority != 0) {
        bits |= 16;
    }
    if (event != NULL) {
        bits |= 1u << 13;
    }
    GOMP_task(body, frame, NULL, (long)bytes, (long)alignment, deferred != 0, bits,
              n != 0 ? list : NULL, priority, event);
}

CP void __cp_taskloop(void (*body)(void*), void* frame, unsigned long bytes,
                      unsigned long alignment, __cp_ull n, int deferred, unsigned flags,
                      unsigned long amount, int priority)
{
    unsigned bits = (flags & 7) | 256;
    bits |= (flags & 16) != 0 ? 1u << 9 : 0;
    bits |= deferred != 0 ? 1u << 10 : 0;
    bits |= (flags & 32) != 0 ? 1u << 11 : 0;
    bits |= (flags & 64) != 0 ? 1u << 14 : 0;
    bits |= priority != 0 ? 16 : 0;
    GOMP_taskloop_ull(body, frame, NULL, (long)bytes, (long)alignment, bits, amount, priority, 0, n,
                      1);
}

CP void __cp_taskwait(void)
{
    GOMP_taskwait();
}

CP void __cp_taskwait_depend(void** depend, unsigned n)
{
    void* list[n + 5];
    GOMP_taskwait_depend(dependences(depend, n, list));
}

CP void __cp_taskyield(void)
{
    GOMP_taskyield();
}
CP void __cp_taskgroup_start(void)
{
    GOMP_taskgroup_start();
}
CP void __cp_taskgroup_end(void)
{
    GOMP_taskgroup_end();
}
CP void __cp_task_reduction_register(unsigned long* words)
{
    GOMP_taskgroup_reduction_register(words);
}
CP void __cp_task_reduction_unregister(unsigned long* words)
{
    GOMP_taskgroup_reduction_unregister(words);
}

CP void* __cp_task_reduction_find(void* address, void** original)
{
    void* found[2] = {address, NULL};
    GOMP_task_reduction_remap(1, 1, found);
    *original = found[1];
    return found[0];
}

CP void __cp_team_reduction_start(unsigned long* words)
{
    GOMP_scope_start(words);
}
CP void __cp_team_reduction_end(int cancelled)
{
    GOMP_workshare_task_reduction_unregister(cancelled != 0);
}

/* threadprivate: members have thread-local storage of their own, in which lies a table of copies.
 */
struct image {
    void* original;
    unsigned long bytes, alignment;
    void* value;
};
static struct {
    pthread_mutex_t lock;
    struct image* all;
    unsigned long n;
    pthread_key_t leaving;
} variables = {.lock = PTHREAD_MUTEX_INITIALIZER};
static __thread struct {
    void** copies;
    unsigned long n;
    int is_first; /* 1: the program's first thread; 2: another one that has copies */
} mine;

static void* checked(void* memory)
{
    if (memory == NULL) {
        static const char text[] = "cpt: error: no memory for threadprivate variables\n";
        if (write(2, text, sizeof text - 1) >= 0) {
            _exit(1);
        }
        _exit(1);
    }
    return memory;
}

static void leave(void* unused)
{
    (void)unused;
    for (unsigned long i = 0; i < mine.n; ++i) {
        free(mine.copies[i]);
    }
    free(mine.copies);
    mine.copies = NULL;
    mine.n = 0;
}

__attribute__((constructor(101))) static void begin(void)
{
    pthread_key_create(&variables.leaving, leave);
    /* Its storage goes with it wherever it runs. */
    mine.is_first = syscall(SYS_gettid) == getpid() ? 1 : 0;
}

/* Under the lock. */
static unsigned long number_of(struct __cp_private_variable* v)
{
    for (unsigned long i = 0; i < variables.n; ++i) {
        if (variables.all[i].original == v->original) {
            return i + 1;
        }
    }
    variables.all = checked(realloc(variables.all, (variables.n + 1) * sizeof(struct image)));
    struct image* const i = &variables.all[variables.n++];
    *i = (struct image){v->original, v->bytes, v->alignment, checked(malloc(v->bytes + 1))};
    memcpy(i->value, v->original, v->bytes);
    return variables.n;
}

CP void __cp_private_register(struct __cp_private_variable* v)
{
    pthread_mutex_lock(&variables.lock);
    /* release: pairs with __cp_private; what it stands for is known. */
    __atomic_store_n(&v->number, number_of(v), __ATOMIC_RELEASE);
    pthread_mutex_unlock(&variables.lock);
}

static void* copy_of(struct __cp_private_variable* v)
{
    if (mine.is_first == 0) {
        mine.is_first = 2;
        pthread_setspecific(variables.leaving, &mine);
    }
    pthread_mutex_lock(&variables.lock);
    const unsigned long at = number_of(v) - 1;
    if (at >= mine.n) {
        mine.copies = checked(realloc(mine.copies, (at + 1) * sizeof(void*)));
        memset(mine.copies + mine.n, 0, (at + 1 - mine.n) * sizeof(void*));
        mine.n = at + 1;
    }
    if (mine.copies[at] != NULL) { /* of another unit's record */
        void* const known = mine.copies[at];
        pthread_mutex_unlock(&variables.lock);
        __atomic_store_n(&v->number, at + 1, __ATOMIC_RELEASE); /* release: as above */
        return known;
    }
    const struct image* const from = &variables.all[at];
    const unsigned long edge = from->alignment < 64 ? 64 : from->alignment;
    void* const copy = checked(aligned_alloc(edge, (from->bytes + edge - 1) / edge * edge));
    memcpy(copy, from->value, from->bytes);
    mine.copies[at] = copy;
    pthread_mutex_unlock(&variables.lock);
    __atomic_store_n(&v->number, at + 1, __ATOMIC_RELEASE); /* release: as above */
    return copy;
}

CP void* __cp_private(struct __cp_private_variable* v)
{
    if (mine.is_first == 1) {
        return v->original;
    }
    /* acquire: pairs with __cp_private_register. */
    const unsigned long at = __atomic_load_n(&v->number, __ATOMIC_ACQUIRE) - 1;
    return at < mine.n && mine.copies[at] != NULL ? mine.copies[at] : copy_of(v);
}
