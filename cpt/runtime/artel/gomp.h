/* libcp-artel.so: cp.h on the crew, through the C interface of the OpenMP drop-in
 * (libgomp-artel.so.1, whose soname is libgomp.so.1). It includes none of the drop-in's headers,
 * and needs only names with a stable ABI. There, members of a team are light threads with TLS of
 * their own, which barriers, locks and waits suspend. A library that was loaded under libgomp's
 * soname before (by artel run, or by a program that is linked to libgomp itself) is used as it
 * is.
 *
 * No value of TLS is kept here: each function asks the runtime anew, in calls that cannot be
 * inlined. */
#pragma once

#include "../include/cp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CP __attribute__((visibility("default")))

extern int omp_get_thread_num(void);
extern int omp_get_num_threads(void);
extern int omp_get_max_threads(void);
extern int omp_get_team_num(void);
extern int omp_get_num_teams(void);
extern void GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);
extern void GOMP_teams_reg(void (*)(void*), void*, unsigned, unsigned, unsigned);
extern void GOMP_target_ext(int, void (*)(void*), size_t, void**, size_t*, unsigned short*,
                            unsigned, void**, void**);
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
