/* The functions that translated programs call: one interface for every runtime. `cpt c` puts their
 * declarations before each unit. Iterations are numbered 0 to n-1 whatever the user's loop looks
 * like. A frame is memory of the caller with what a body uses. What programs may call themselves
 * stands at the end; they include this file for it, `#ifdef __CPT__`, which `cpt c` defines. */
#ifndef CP_H
#define CP_H

#ifndef __CPT__
typedef unsigned long long __cp_ull;

/* Regions. `threads`, `teams`, `limit` 0: as the environment says. `bind` is omp_proc_bind_t.
 * `place`: "file.c:12". */
void __cp_parallel(void (*body)(void*), void* frame, unsigned threads, unsigned bind,
                   const char* place);
/* What "#pragma cp" demands of the region that the caller opens next: bounds on its threads (0:
 * none), streams (0: all) and NUMA nodes (null: all). `asked` is its num_threads, 0 without one.
 * Returns the number of threads; 0: as the environment says. */
unsigned __cp_hint(unsigned least, unsigned most, unsigned streams, const char* numas,
                   unsigned asked);
void __cp_teams(void (*body)(void*), void* frame, unsigned teams, unsigned limit);
/* Target regions run on the host, in a team of their own. `device` is that of the clause; -1: the
 * default, -2: a condition keeps the region on the host. */
void __cp_target(void (*body)(void*), void* frame, int device, unsigned limit);
int __cp_thread_number(void);
int __cp_team_size(void);

/* Loops. `schedule`: 0 runtime, 1 static, 2 dynamic, 3 guided, 4 auto; + 256 monotonic, + 512
 * ordered. 1: there is a piece [lo, hi). */
int __cp_loop_start(__cp_ull n, int schedule, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi);
int __cp_loop_next(int schedule, __cp_ull* lo, __cp_ull* hi);
void __cp_loop_end(void);
void __cp_loop_end_nowait(void);
int __cp_loop_end_cancel(void);
/* The caller's part; lo == hi: none. With chunks, and for teams: the first piece and the distance
 * to the next. */
void __cp_static(__cp_ull n, __cp_ull* lo, __cp_ull* hi);
void __cp_static_chunks(__cp_ull n, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi, __cp_ull* stride);
void __cp_distribute(__cp_ull n, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi, __cp_ull* stride);
void __cp_ordered_start(void);
void __cp_ordered_end(void);
/* A loop whose iterations wait for each other: counts[0] iterations are shared out, and with two
 * levels each of them has counts[1] inner ones, which one thread executes in order. */
int __cp_doacross_start(unsigned levels, const __cp_ull* counts, int schedule, __cp_ull chunk,
                        __cp_ull* lo, __cp_ull* hi);
void __cp_doacross_post(const __cp_ull* iteration);
void __cp_doacross_wait(unsigned levels, const __cp_ull* iteration);

/* Sections are numbered from 1; 0: none is left. */
unsigned __cp_sections_start(unsigned n);
unsigned __cp_sections_next(void);
void __cp_sections_end(void);
void __cp_sections_end_nowait(void);
int __cp_sections_end_cancel(void);

int __cp_single_start(void);
/* Returns NULL to the member that executes the block and then publishes a list; the others wait for
 * the list and get it. */
void** __cp_single_copy_start(void);
void __cp_single_copy_end(void** list);

void __cp_critical_start(void** name);
void __cp_critical_end(void** name);
void __cp_atomic_start(void);
void __cp_atomic_end(void);
void __cp_reduce_begin(void);
void __cp_reduce_end(void);
void __cp_barrier(void);
int __cp_barrier_cancel(void);
void __cp_flush(void);

/* Cancellation of 1 parallel, 2 loops, 4 sections, 8 taskgroup. 1: go to the end of it. */
int __cp_cancel(unsigned what, int really);
int __cp_cancellation_point(unsigned what);

/* Tasks get a copy of `bytes` of the frame. `flags`: 1 untied, 2 final, 4 mergeable; of loops also
 * 16 grainsize (else number of tasks), 32 nogroup, 64 strict. `depend`: n pairs of an address and 1
 * in, 2 out, 3 inout, 4 mutexinoutset, 5 inoutset; no address and 2 or 3: omp_all_memory. `event`:
 * where in the frame the event's handle is to be written. The frame of a taskloop begins with two
 * __cp_ull, its piece. */
void __cp_task(void (*body)(void*), void* frame, unsigned long bytes, unsigned long alignment,
               int deferred, unsigned flags, void** depend, unsigned n, int priority, void* event);
void __cp_taskloop(void (*body)(void*), void* frame, unsigned long bytes, unsigned long alignment,
                   __cp_ull n, int deferred, unsigned flags, unsigned long amount, int priority);
void __cp_taskwait(void);
void __cp_taskwait_depend(void** depend, unsigned n);
void __cp_taskyield(void);
void __cp_taskgroup_start(void);
void __cp_taskgroup_end(void);
/* Reductions of tasks. `words`: items, bytes of a block, alignment (replaced by the address of
 * zeroed memory: one block per thread), four of the runtime's; then per item its address, its place
 * in a block and an unused word. `find` returns the caller's copy of the item at an address, which
 * may also be the address of another thread's copy; `original` is the item itself. */
void __cp_task_reduction_register(unsigned long* words);
void __cp_task_reduction_unregister(unsigned long* words);
void* __cp_task_reduction_find(void* address, void** original);
/* Reductions of tasks of a worksharing construct, a scope or a region, called by all its members,
 * which share the memory. The end frees it after a barrier; with `cancelled`, without one. */
void __cp_team_reduction_start(unsigned long* words);
void __cp_team_reduction_end(int cancelled);

/* A threadprivate variable; one record per unit that names it. `register` is called when the unit
 * is loaded that defines it, before its value changes. The thread's copy has one address while a
 * function runs, so compilers need to ask for it once only. */
struct __cp_private_variable {
    void* original;
    unsigned long bytes, alignment, number;
};
void __cp_private_register(struct __cp_private_variable* v);
void* __cp_private(struct __cp_private_variable* v) __attribute__((const));
#endif /* __CPT__ */

/* For programs. Regions that the calling thread opens until cp_zone_end, and those that are opened
 * in them, have at most so many light threads, and so use no more streams (0: as without it), on
 * these NUMA nodes ("0,2-3", out of those that CP_NUMAS names, on tbb only; NULL: all).
 * Zones nest. 0, or -1 with errno: EINVAL (streams above 1024, no list), ENODEV (no such node),
 * ENOMEM. */
int cp_zone_begin(unsigned streams, const char* numas);
/* -1: the caller has begun none, or not in this region. */
int cp_zone_end(void);
/* Bounds on the light threads of regions that the calling thread opens, in the place of
 * CP_MIN_THREADS and CP_MAX_THREADS; 0: none. -1 with EINVAL: the least are more than the most. */
int cp_set_bounds(unsigned least, unsigned most);
void cp_get_bounds(unsigned* least, unsigned* most);
/* The name of the runtime, such as "artel". */
const char* cp_runtime_name(void);

#endif
