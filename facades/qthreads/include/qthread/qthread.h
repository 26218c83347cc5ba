/* The interface of Qthreads 1.23 (https://www.sandia.gov/qthreads), for programs that are compiled
 * without its own headers; written from its documentation. Programs compiled with either run with
 * either library. What the functions do is said there. */
#ifndef QTHREAD_QTHREAD_H
#define QTHREAD_QTHREAD_H

#include "common.h"
#include "macros.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus /* the stock header includes it, too */
#include <atomic>
#else
#include <stdatomic.h>
#endif

#define QTHREAD_VERSION "1.23"
#define QTHREAD_NUMVERSION 012300300 /* with the stock header's leading 0 */
#define QTHREAD_RELEASE_TYPE_ALPHA 0
#define QTHREAD_RELEASE_TYPE_BETA 1
#define QTHREAD_RELEASE_TYPE_RC 2
#define QTHREAD_RELEASE_TYPE_PATCH 3
#define QTHREADS_GET_VERSION(major, minor, revision, type, patch) \
    ((major) * 10000000 + (minor) * 100000 + (revision) * 1000 + (type) * 100 + (patch))

/* What functions return. */
#define QTHREAD_SUCCESS 0
#define QTHREAD_BADARGS -1
#define QTHREAD_PTHREAD_ERROR -2
#define QTHREAD_NOT_ALLOWED -3
#define QTHREAD_THIRD_PARTY_ERROR -4
#define QTHREAD_TIMEOUT -5
#define QTHREAD_OPFAIL -7
#define QTHREAD_MALLOC_ERROR ENOMEM
#define QTHREAD_OVERFLOW EOVERFLOW

#define QTHREAD_BITS 64
#define QTHREAD_ALIGNMENT_ALIGNED_T (sizeof(aligned_t))
#define QALIGN(d, s) (s) = (d)
/* acq_rel: the stock header's. */
#define MACHINE_FENCE __atomic_thread_fence(__ATOMIC_ACQ_REL);

Q_STARTCXX

typedef uint64_t aligned_t;
typedef uint32_t haligned_t;
typedef int64_t saligned_t;
typedef unsigned short qthread_shepherd_id_t;
typedef unsigned short qthread_worker_id_t;
typedef aligned_t (*qthread_f)(void* arg);

#define NO_SHEPHERD ((qthread_shepherd_id_t) - 1)
#define NO_WORKER ((qthread_worker_id_t) - 1)

/* A word with its own full/empty state: bit 0 a lock, then three of state, then the value. */
typedef struct _syncvar_s {
    union {
        uint64_t w;
        struct {
            unsigned lock : 1;
            unsigned state : 3;
            uint64_t data : 60;
        } s;
    } u;
} syncvar_t;

/* clang-format off */
#define SYNCVAR_STATIC_INITIALIZER {{0}}
#define SYNCVAR_STATIC_EMPTY_INITIALIZER {{4}}
#define SYNCVAR_STATIC_INITIALIZE_TO(value) {{(uint64_t)(value) << 4}}
#define SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(value) {{(uint64_t)(value) << 4 | 4}}
/* clang-format on */
#define SYNCVAR_INITIALIZER ((syncvar_t)SYNCVAR_STATIC_INITIALIZER)
#define SYNCVAR_EMPTY_INITIALIZER ((syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZER)
#define SYNCVAR_INITIALIZE_TO(value) ((syncvar_t)SYNCVAR_STATIC_INITIALIZE_TO(value))
#define SYNCVAR_EMPTY_INITIALIZE_TO(value) ((syncvar_t)SYNCVAR_STATIC_EMPTY_INITIALIZE_TO(value))

/* Numbers of 60 bits. */
#define INT64TOINT60(x) ((uint64_t)(x) & UINT64_MAX >> 4)
#define INT60TOINT64(x) ((int64_t)((uint64_t)(x) << 4) >> 4)
#define DBL64TODBL60(in, out)     \
    do {                          \
        memcpy(&(out), &(in), 8); \
        (out) >>= 4;              \
    } while (0)
#define DBL60TODBL64(in, out)     \
    do {                          \
        (in) <<= 4;               \
        memcpy(&(out), &(in), 8); \
    } while (0)

/* Beginning and end. */
int qthread_init(qthread_shepherd_id_t shepherds);
int qthread_initialize(void);
void qthread_finalize(void);
void qthread_call_method(qthread_f f, void* arg, void* ret, uint16_t flags);
int qthread_disable_shepherd(qthread_shepherd_id_t shepherd);
void qthread_enable_shepherd(qthread_shepherd_id_t shepherd);
int qthread_disable_worker(qthread_worker_id_t worker);
void qthread_enable_worker(qthread_worker_id_t worker);

/* Making qthreads. */
enum _qthread_features {
    SPAWN_PARENT,
    SPAWN_SIMPLE,
    SPAWN_NEW_TEAM,
    SPAWN_NEW_SUBTEAM,
    SPAWN_RET_SYNCVAR_T,
    SPAWN_RET_SINC,
    SPAWN_RET_SINC_VOID,
    SPAWN_PC_SYNCVAR_T,
    SPAWN_COUNT,
    SPAWN_LOCAL_PRIORITY,
    SPAWN_NETWORK
};
#define QTHREAD_SPAWN_PARENT (1 << SPAWN_PARENT)
#define QTHREAD_SPAWN_SIMPLE (1 << SPAWN_SIMPLE)
#define QTHREAD_SPAWN_NEW_TEAM (1 << SPAWN_NEW_TEAM)
#define QTHREAD_SPAWN_NEW_SUBTEAM (1 << SPAWN_NEW_SUBTEAM)
#define QTHREAD_SPAWN_RET_SYNCVAR_T (1 << SPAWN_RET_SYNCVAR_T)
#define QTHREAD_SPAWN_RET_SINC (1 << SPAWN_RET_SINC)
#define QTHREAD_SPAWN_RET_SINC_VOID (1 << SPAWN_RET_SINC_VOID)
#define QTHREAD_SPAWN_PC_SYNCVAR_T (1 << SPAWN_PC_SYNCVAR_T)
#define QTHREAD_SPAWN_LOCAL_PRIORITY (1 << SPAWN_LOCAL_PRIORITY)
#define QTHREAD_SPAWN_NETWORK (1 << SPAWN_NETWORK)

int qthread_spawn(qthread_f f, const void* arg, size_t arg_size, void* ret, size_t npreconds,
                  void* preconds, qthread_shepherd_id_t target, unsigned int flags);
int qthread_fork(qthread_f f, const void* arg, aligned_t* ret);
int qthread_fork_net(qthread_f f, const void* arg, aligned_t* ret);
int qthread_fork_to(qthread_f f, const void* arg, aligned_t* ret, qthread_shepherd_id_t target);
int qthread_fork_syncvar(qthread_f f, const void* arg, syncvar_t* ret);
int qthread_fork_syncvar_to(qthread_f f, const void* arg, syncvar_t* ret,
                            qthread_shepherd_id_t target);
int qthread_fork_copyargs(qthread_f f, const void* arg, size_t arg_size, aligned_t* ret);
int qthread_fork_copyargs_to(qthread_f f, const void* arg, size_t arg_size, syncvar_t* ret,
                             qthread_shepherd_id_t target);
int qthread_fork_syncvar_copyargs(qthread_f f, const void* arg, size_t arg_size, syncvar_t* ret);
int qthread_fork_syncvar_copyargs_simple(qthread_f f, const void* arg, size_t arg_size,
                                         syncvar_t* ret);
/* With preconditions: npreconds words, or one array of -npreconds words if the number is
   negative. */
int qthread_fork_precond(qthread_f f, const void* arg, aligned_t* ret, int npreconds, ...);
int qthread_fork_precond_simple(qthread_f f, const void* arg, aligned_t* ret, int npreconds, ...);
int qthread_fork_precond_to(qthread_f f, const void* arg, aligned_t* ret,
                            qthread_shepherd_id_t target, int npreconds, ...);
int qthread_fork_copyargs_precond(qthread_f f, const void* arg, size_t arg_size, syncvar_t* ret,
                                  int npreconds, ...);

#define QTHREAD_SPAWN_INTO_(f, a, size, r, target, flags) \
    qthread_spawn((f), (a), (size), (r), 0, NULL, (target), (flags))
#define qthread_fork_new_team(f, a, r) \
    QTHREAD_SPAWN_INTO_(f, a, 0, r, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM)
#define qthread_fork_new_subteam(f, a, r) \
    QTHREAD_SPAWN_INTO_(f, a, 0, r, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM)
#define qthread_fork_new_team_to(f, a, r, target) \
    QTHREAD_SPAWN_INTO_(f, a, 0, r, target, QTHREAD_SPAWN_NEW_TEAM)
#define qthread_fork_syncvar_new_team(f, a, r)   \
    QTHREAD_SPAWN_INTO_(f, a, 0, r, NO_SHEPHERD, \
                        QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_RET_SYNCVAR_T)
#define qthread_fork_syncvar_new_subteam(f, a, r) \
    QTHREAD_SPAWN_INTO_(f, a, 0, r, NO_SHEPHERD,  \
                        QTHREAD_SPAWN_NEW_SUBTEAM | QTHREAD_SPAWN_RET_SYNCVAR_T)
#define qthread_fork_copyargs_new_team(f, a, size, r) \
    QTHREAD_SPAWN_INTO_(f, a, size, r, NO_SHEPHERD, QTHREAD_SPAWN_NEW_TEAM)
#define qthread_fork_copyargs_new_subteam(f, a, size, r) \
    QTHREAD_SPAWN_INTO_(f, a, size, r, NO_SHEPHERD, QTHREAD_SPAWN_NEW_SUBTEAM)
#define qthread_fork_syncvar_copyargs_to(f, a, size, r, target) \
    QTHREAD_SPAWN_INTO_(f, a, size, r, target, QTHREAD_SPAWN_RET_SYNCVAR_T)

/* Yielding and migrating. */
void qthread_yield_(int near);
#define qthread_yield()    \
    do {                   \
        qthread_yield_(0); \
    } while (0)
#define qthread_yield_near() \
    do {                     \
        qthread_yield_(1);   \
    } while (0)
void qthread_flushsc(void);
int qthread_migrate_to(qthread_shepherd_id_t shepherd);
void qthread_reset_target_shep(void);

/* Queries about the caller and the runtime. */
#define QTHREAD_NULL_TASK_ID UINT_MAX
#define QTHREAD_NON_TASK_ID 0
#define QTHREAD_DEFAULT_TEAM_ID 1
#define QTHREAD_NON_TEAM_ID 0
#define QTHREAD_NULL_TEAM_ID UINT_MAX

unsigned qthread_id(void);
qthread_shepherd_id_t qthread_shep(void);
qthread_worker_id_t qthread_worker(qthread_shepherd_id_t* shepherd);
qthread_worker_id_t qthread_worker_unique(qthread_shepherd_id_t* shepherd);
qthread_worker_id_t qthread_worker_local(qthread_shepherd_id_t* shepherd);
void* qthread_get_tasklocal(unsigned size);
unsigned qthread_size_tasklocal(void);
void* qthread_tos(void);
void* qthread_bos(void);
size_t qthread_stackleft(void);
aligned_t* qthread_retloc(void);
int qthread_shep_ok(void);
void qthread_shep_next(qthread_shepherd_id_t* shepherd);
void qthread_shep_prev(qthread_shepherd_id_t* shepherd);
void qthread_shep_next_local(qthread_shepherd_id_t* shepherd);
void qthread_shep_prev_local(qthread_shepherd_id_t* shepherd);
int qthread_distance(qthread_shepherd_id_t from, qthread_shepherd_id_t to);
const qthread_shepherd_id_t* qthread_sorted_sheps(void);
const qthread_shepherd_id_t* qthread_sorted_sheps_remote(qthread_shepherd_id_t from);
qthread_shepherd_id_t qthread_num_shepherds(void);
qthread_worker_id_t qthread_num_workers(void);
qthread_worker_id_t qthread_num_workers_local(qthread_shepherd_id_t shepherd);

enum introspective_state {
    STACK_SIZE,
    RUNTIME_DATA_SIZE,
    BUSYNESS,
    NODE_BUSYNESS,
    ACTIVE_SHEPHERDS,
    TOTAL_SHEPHERDS,
    ACTIVE_WORKERS,
    TOTAL_WORKERS,
    WORKER_OCCUPATION,
    CURRENT_SHEPHERD,
    CURRENT_WORKER,
    CURRENT_UNIQUE_WORKER,
    CURRENT_TEAM,
    PARENT_TEAM
};
size_t qthread_readstate(const enum introspective_state what);

/* Teams. */
typedef enum qt_team_critical_section_e { BEGIN, END } qt_team_critical_section_t;
unsigned int qt_team_id(void);
unsigned int qt_team_parent_id(void);
void qt_team_critical_section(qt_team_critical_section_t boundary);

/* Queues of qthreads. */
typedef struct qthread_queue_s* qthread_queue_t;
#define QTHREAD_QUEUE_NO_SYNCH (1 << 0)
#define QTHREAD_QUEUE_MULTI_JOIN (1 << 1)
#define QTHREAD_QUEUE_MULTI_JOIN_LENGTH (1 << 2)
#define QTHREAD_QUEUE_CAPPED (1 << 3)
qthread_queue_t qthread_queue_create(uint8_t flags, aligned_t length);
int qthread_queue_join(qthread_queue_t q);
aligned_t qthread_queue_length(qthread_queue_t q);
int qthread_queue_release_one(qthread_queue_t q);
int qthread_queue_release_all(qthread_queue_t q);
int qthread_queue_destroy(qthread_queue_t q);

/* Full/empty bits of any aligned word. E and F in the names: the state that the call waits for, and
 * the state that it leaves; X: none. Those with _nb return QTHREAD_OPFAIL instead of waiting. */
int qthread_feb_status(const aligned_t* at);
int qthread_empty(const aligned_t* at);
int qthread_fill(const aligned_t* at);
int qthread_writeEF(aligned_t* at, const aligned_t* from);
int qthread_writeEF_const(aligned_t* at, aligned_t value);
int qthread_writeEF_nb(aligned_t* at, const aligned_t* from);
int qthread_writeEF_const_nb(aligned_t* at, aligned_t value);
int qthread_writeF(aligned_t* at, const aligned_t* from);
int qthread_writeF_const(aligned_t* at, aligned_t value);
int qthread_writeFF(aligned_t* at, const aligned_t* from);
int qthread_writeFF_const(aligned_t* at, aligned_t value);
int qthread_purge(aligned_t* at);
int qthread_purge_to(aligned_t* at, const aligned_t* from);
int qthread_purge_to_const(aligned_t* at, aligned_t value);
int qthread_readFF(aligned_t* to, const aligned_t* at);
int qthread_readFF_nb(aligned_t* to, const aligned_t* at);
int qthread_readFE(aligned_t* to, const aligned_t* at);
int qthread_readFE_nb(aligned_t* to, const aligned_t* at);
int qthread_readXX(aligned_t* to, const aligned_t* at);

/* The same for syncvars. */
int qthread_syncvar_status(syncvar_t* v);
int qthread_syncvar_empty(syncvar_t* v);
int qthread_syncvar_fill(syncvar_t* v);
int qthread_syncvar_writeEF(syncvar_t* v, const uint64_t* from);
int qthread_syncvar_writeEF_const(syncvar_t* v, uint64_t value);
int qthread_syncvar_writeEF_nb(syncvar_t* v, const uint64_t* from);
int qthread_syncvar_writeEF_const_nb(syncvar_t* v, uint64_t value);
int qthread_syncvar_writeF(syncvar_t* v, const uint64_t* from);
int qthread_syncvar_writeF_const(syncvar_t* v, uint64_t value);
int qthread_syncvar_readFF(uint64_t* to, syncvar_t* v);
int qthread_syncvar_readFF_nb(uint64_t* to, syncvar_t* v);
int qthread_syncvar_readFE(uint64_t* to, syncvar_t* v);
int qthread_syncvar_readFE_nb(uint64_t* to, syncvar_t* v);
uint64_t qthread_syncvar_incrF(syncvar_t* v, uint64_t by);

/* Lists the waiters: the function is called for each of them, with the word, the qthread's
 * function, argument, place of the result and number, and its task-local data. */
typedef void (*qt_feb_callback_f)(void* at, qthread_f f, void* arg, void* retloc,
                                  unsigned int thread_id, void* tls, void* callarg);
typedef qt_feb_callback_f qt_syncvar_callback_f;
void qthread_feb_callback(qt_feb_callback_f f, void* arg);
void qthread_syncvar_callback(qt_syncvar_callback_f f, void* arg);

/* Locks. */
int qthread_lock(const aligned_t* at);
int qthread_unlock(const aligned_t* at);
int qthread_trylock(const aligned_t* at);
int qthread_lock_init(const aligned_t* at, const bool is_recursive);
int qthread_lock_destroy(aligned_t* at);

#define QTHREAD_SPINLOCK_IS_RECURSIVE (-1)
#define QTHREAD_SPINLOCK_IS_NOT_RECURSIVE (-2)
typedef union qt_spin_trylock_s {
    aligned_t u;
    struct {
        haligned_t ticket;
        haligned_t users;
    } s;
} qt_spin_trylock_t;
typedef struct {
    int64_t s;
    int64_t count;
} qthread_spinlock_state_t;
typedef struct {
    qt_spin_trylock_t lock;
    qthread_spinlock_state_t state;
} qthread_spinlock_t;
/* clang-format off */
#define QTHREAD_MUTEX_INITIALIZER {{0}, {QTHREAD_SPINLOCK_IS_NOT_RECURSIVE, 0}}
#define QTHREAD_RECURSIVE_MUTEX_INITIALIZER {{0}, {QTHREAD_SPINLOCK_IS_RECURSIVE, 0}}
/* clang-format on */
int qthread_spinlock_init(qthread_spinlock_t* l, const bool is_recursive);
int qthread_spinlock_destroy(qthread_spinlock_t* l);
int qthread_spinlock_lock(qthread_spinlock_t* l);
int qthread_spinlock_unlock(qthread_spinlock_t* l);
int qthread_spinlock_trylock(qthread_spinlock_t* l);
int qthread_spinlocks_init(qthread_spinlock_t* l, const bool is_recursive);
int qthread_spinlocks_destroy(qthread_spinlock_t* l);

/* Atomic operations. Each returns the value before it. */
static inline float qthread_fincr(float* at, float by)
{
    float old;
    float sum;
    /* relaxed, all: a guess, tried again. seq_cst, all: as those of the stock header. */
    __atomic_load(at, &old, __ATOMIC_RELAXED);
    do {
        sum = old + by;
    } while (!__atomic_compare_exchange(at, &old, &sum, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return old;
}
static inline double qthread_dincr(double* at, double by)
{
    double old;
    double sum;
    /* relaxed, all: a guess, tried again. seq_cst, all: as those of the stock header. */
    __atomic_load(at, &old, __ATOMIC_RELAXED);
    do {
        sum = old + by;
    } while (!__atomic_compare_exchange(at, &old, &sum, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return old;
}
static inline uint32_t qthread_incr32(uint32_t* at, uint32_t by)
{
    return __atomic_fetch_add(at, by, __ATOMIC_SEQ_CST); /* seq_cst: as the stock header's */
}
static inline uint64_t qthread_incr64(uint64_t* at, uint64_t by)
{
    return __atomic_fetch_add(at, by, __ATOMIC_SEQ_CST); /* seq_cst: as the stock header's */
}
static inline int64_t qthread_incr_xx(void* at, int64_t by, size_t length)
{
    if (length == sizeof(uint32_t)) {
        return qthread_incr32((uint32_t*)at, (uint32_t)by);
    }
    if (length != sizeof(uint64_t)) {
        QTHREAD_TRAP();
    }
    return (int64_t)qthread_incr64((uint64_t*)at, (uint64_t)by);
}
#define qthread_cas(at, old, value) __sync_val_compare_and_swap((at), (old), (value))
#define qthread_cas32(at, old, value) __sync_val_compare_and_swap((at), (old), (value))
#define qthread_cas64(at, old, value) __sync_val_compare_and_swap((at), (old), (value))
#define qthread_cas_ptr(at, old, value) (void*)__sync_val_compare_and_swap((at), (old), (value))
#define qthread_incr(at, by) __sync_fetch_and_add((at), (by))

Q_ENDCXX

#ifdef __cplusplus
extern "C++" {
#include "qthread.hpp"
}
#endif

#endif
