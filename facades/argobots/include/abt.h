/* The interface of Argobots 1.2 (https://www.argobots.org), for programs that are compiled without
 * its own header; written from its documentation. Programs compiled with either header run with
 * either library. What the functions do is said there. */
#ifndef ABT_H_INCLUDED
#define ABT_H_INCLUDED

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ABT_VERSION "1.2rc1"
#define ABT_NUMVERSION 10200201
#define ABT_RELEASE_TYPE_ALPHA 0
#define ABT_RELEASE_TYPE_BETA 1
#define ABT_RELEASE_TYPE_RC 2
#define ABT_RELEASE_TYPE_PATCH 3
#define ABT_CALC_VERSION(major, minor, revision, type, patch) \
    ((major) * 10000000 + (minor) * 100000 + (revision) * 1000 + (type) * 100 + (patch))

/* What functions return. */
#define ABT_SUCCESS 0
#define ABT_ERR_UNINITIALIZED 1
#define ABT_ERR_MEM 2
#define ABT_ERR_OTHER 3
#define ABT_ERR_INV_XSTREAM 4
#define ABT_ERR_INV_XSTREAM_RANK 5
#define ABT_ERR_INV_XSTREAM_BARRIER 6
#define ABT_ERR_INV_SCHED 7
#define ABT_ERR_INV_SCHED_KIND 8
#define ABT_ERR_INV_SCHED_PREDEF 9
#define ABT_ERR_INV_SCHED_TYPE 10
#define ABT_ERR_INV_SCHED_CONFIG 11
#define ABT_ERR_INV_POOL 12
#define ABT_ERR_INV_POOL_KIND 13
#define ABT_ERR_INV_POOL_ACCESS 14
#define ABT_ERR_INV_UNIT 15
#define ABT_ERR_INV_THREAD 16
#define ABT_ERR_INV_THREAD_ATTR 17
#define ABT_ERR_INV_TASK 18
#define ABT_ERR_INV_KEY 19
#define ABT_ERR_INV_MUTEX 20
#define ABT_ERR_INV_MUTEX_ATTR 21
#define ABT_ERR_INV_COND 22
#define ABT_ERR_INV_RWLOCK 23
#define ABT_ERR_INV_EVENTUAL 24
#define ABT_ERR_INV_FUTURE 25
#define ABT_ERR_INV_BARRIER 26
#define ABT_ERR_INV_TIMER 27
#define ABT_ERR_INV_QUERY_KIND 28
#define ABT_ERR_XSTREAM 29
#define ABT_ERR_XSTREAM_STATE 30
#define ABT_ERR_XSTREAM_BARRIER 31
#define ABT_ERR_SCHED 32
#define ABT_ERR_SCHED_CONFIG 33
#define ABT_ERR_POOL 34
#define ABT_ERR_UNIT 35
#define ABT_ERR_THREAD 36
#define ABT_ERR_TASK 37
#define ABT_ERR_KEY 38
#define ABT_ERR_MUTEX 39
#define ABT_ERR_MUTEX_LOCKED 40
#define ABT_ERR_COND 41
#define ABT_ERR_COND_TIMEDOUT 42
#define ABT_ERR_RWLOCK 43
#define ABT_ERR_EVENTUAL 44
#define ABT_ERR_FUTURE 45
#define ABT_ERR_BARRIER 46
#define ABT_ERR_TIMER 47
#define ABT_ERR_MIGRATION_TARGET 48
#define ABT_ERR_MIGRATION_NA 49
#define ABT_ERR_MISSING_JOIN 50
#define ABT_ERR_FEATURE_NA 51
#define ABT_ERR_INV_TOOL_CONTEXT 52
#define ABT_ERR_INV_ARG 53
#define ABT_ERR_SYS 54
#define ABT_ERR_CPUID 55
#define ABT_ERR_INV_POOL_CONFIG 56
#define ABT_ERR_INV_POOL_USER_DEF 57

typedef int ABT_bool;
#define ABT_TRUE 1
#define ABT_FALSE 0
#define ABT_XSTREAM_ANY_RANK (-1)

/* Handles. Each has a null value of its own, so that one of the wrong kind is noticed. */
typedef struct ABT_xstream_opaque* ABT_xstream;
typedef struct ABT_xstream_barrier_opaque* ABT_xstream_barrier;
typedef struct ABT_sched_opaque* ABT_sched;
typedef struct ABT_sched_config_opaque* ABT_sched_config;
typedef struct ABT_pool_opaque* ABT_pool;
typedef struct ABT_pool_config_opaque* ABT_pool_config;
typedef struct ABT_unit_opaque* ABT_unit;
typedef struct ABT_thread_opaque* ABT_thread;
typedef struct ABT_thread_attr_opaque* ABT_thread_attr;
typedef struct ABT_thread_opaque* ABT_task;
typedef struct ABT_key_opaque* ABT_key;
typedef struct ABT_mutex_opaque* ABT_mutex;
typedef struct ABT_mutex_attr_opaque* ABT_mutex_attr;
typedef struct ABT_cond_opaque* ABT_cond;
typedef struct ABT_rwlock_opaque* ABT_rwlock;
typedef struct ABT_eventual_opaque* ABT_eventual;
typedef struct ABT_future_opaque* ABT_future;
typedef struct ABT_barrier_opaque* ABT_barrier;
typedef struct ABT_timer_opaque* ABT_timer;
typedef struct ABT_tool_context_opaque* ABT_tool_context;
typedef struct ABT_pool_def ABT_pool_def;
typedef ABT_pool_def* ABT_pool_user_def;

#define ABT_XSTREAM_NULL ((ABT_xstream)0x01)
#define ABT_XSTREAM_BARRIER_NULL ((ABT_xstream_barrier)0x02)
#define ABT_SCHED_NULL ((ABT_sched)0x03)
#define ABT_SCHED_CONFIG_NULL ((ABT_sched_config)0x04)
#define ABT_POOL_NULL ((ABT_pool)0x05)
#define ABT_POOL_CONFIG_NULL ((ABT_pool_config)0x06)
#define ABT_UNIT_NULL ((ABT_unit)0x07)
#define ABT_THREAD_NULL ((ABT_thread)0x08)
#define ABT_THREAD_ATTR_NULL ((ABT_thread_attr)0x09)
#define ABT_TASK_NULL ((ABT_task)0x0a)
#define ABT_KEY_NULL ((ABT_key)0x0b)
#define ABT_MUTEX_NULL ((ABT_mutex)0x0c)
#define ABT_MUTEX_ATTR_NULL ((ABT_mutex_attr)0x0d)
#define ABT_COND_NULL ((ABT_cond)0x0e)
#define ABT_RWLOCK_NULL ((ABT_rwlock)0x0f)
#define ABT_EVENTUAL_NULL ((ABT_eventual)0x10)
#define ABT_FUTURE_NULL ((ABT_future)0x11)
#define ABT_BARRIER_NULL ((ABT_barrier)0x12)
#define ABT_TIMER_NULL ((ABT_timer)0x13)
#define ABT_TOOL_CONTEXT_NULL ((ABT_tool_context)0x14)
#define ABT_POOL_USER_DEF_NULL ((ABT_pool_user_def)0x15)

typedef uint64_t ABT_unit_id;
typedef ABT_unit_id ABT_thread_id;

typedef enum ABT_xstream_state {
    ABT_XSTREAM_STATE_RUNNING,
    ABT_XSTREAM_STATE_TERMINATED
} ABT_xstream_state;

typedef enum ABT_thread_state {
    ABT_THREAD_STATE_READY,
    ABT_THREAD_STATE_RUNNING,
    ABT_THREAD_STATE_BLOCKED,
    ABT_THREAD_STATE_TERMINATED
} ABT_thread_state;

typedef enum ABT_task_state {
    ABT_TASK_STATE_READY,
    ABT_TASK_STATE_RUNNING,
    ABT_TASK_STATE_TERMINATED
} ABT_task_state;

typedef enum ABT_sched_state {
    ABT_SCHED_STATE_READY,
    ABT_SCHED_STATE_RUNNING,
    ABT_SCHED_STATE_STOPPED,
    ABT_SCHED_STATE_TERMINATED
} ABT_sched_state;

typedef enum ABT_sched_predef {
    ABT_SCHED_DEFAULT,
    ABT_SCHED_BASIC,
    ABT_SCHED_PRIO,
    ABT_SCHED_RANDWS,
    ABT_SCHED_BASIC_WAIT
} ABT_sched_predef;

typedef enum ABT_sched_type { ABT_SCHED_TYPE_ULT, ABT_SCHED_TYPE_TASK } ABT_sched_type;

typedef enum ABT_pool_kind { ABT_POOL_FIFO, ABT_POOL_FIFO_WAIT, ABT_POOL_RANDWS } ABT_pool_kind;

/* Which streams push and pop: private, or single or multiple producers and consumers. */
typedef enum ABT_pool_access {
    ABT_POOL_ACCESS_PRIV,
    ABT_POOL_ACCESS_SPSC,
    ABT_POOL_ACCESS_MPSC,
    ABT_POOL_ACCESS_SPMC,
    ABT_POOL_ACCESS_MPMC
} ABT_pool_access;

typedef enum ABT_unit_type {
    ABT_UNIT_TYPE_THREAD,
    ABT_UNIT_TYPE_TASK,
    ABT_UNIT_TYPE_XSTREAM,
    ABT_UNIT_TYPE_EXT
} ABT_unit_type;

#include "abt_kinds.h"

/* Room for objects that need not be made: all zero is valid, a first int of 1 is a recursive mutex.
 */
typedef struct {
    int dummy[16];
} ABT_mutex_memory;
typedef struct {
    int dummy[16];
} ABT_cond_memory;
typedef struct {
    int dummy[16];
} ABT_eventual_memory;
/* clang-format off */
#define ABT_MUTEX_INITIALIZER {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}
#define ABT_RECURSIVE_MUTEX_INITIALIZER {{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}
/* clang-format on */
#define ABT_COND_INITIALIZER ABT_MUTEX_INITIALIZER
#define ABT_EVENTUAL_INITIALIZER ABT_MUTEX_INITIALIZER
#define ABT_MUTEX_MEMORY_GET_HANDLE(memory) ((ABT_mutex)(memory))
#define ABT_COND_MEMORY_GET_HANDLE(memory) ((ABT_cond)(memory))
#define ABT_EVENTUAL_MEMORY_GET_HANDLE(memory) ((ABT_eventual)(memory))

/* Configurations of schedulers and of pools: lists of values with a number and a type. */
typedef enum {
    ABT_SCHED_CONFIG_INT = 0,
    ABT_SCHED_CONFIG_DOUBLE = 1,
    ABT_SCHED_CONFIG_PTR = 2
} ABT_sched_config_type;
typedef struct {
    int idx;
    ABT_sched_config_type type;
} ABT_sched_config_var;
extern ABT_sched_config_var ABT_sched_config_var_end;
extern ABT_sched_config_var ABT_sched_basic_freq;
extern ABT_sched_config_var ABT_sched_config_access;
extern ABT_sched_config_var ABT_sched_config_automatic;

typedef enum {
    ABT_POOL_CONFIG_INT = 0,
    ABT_POOL_CONFIG_DOUBLE = 1,
    ABT_POOL_CONFIG_PTR = 2
} ABT_pool_config_type;
typedef struct {
    int key;
    ABT_pool_config_type type;
} ABT_pool_config_var;
extern const ABT_pool_config_var ABT_pool_config_automatic;

/* A user-defined scheduler. */
typedef int (*ABT_sched_init_fn)(ABT_sched, ABT_sched_config);
typedef void (*ABT_sched_run_fn)(ABT_sched);
typedef int (*ABT_sched_free_fn)(ABT_sched);
typedef ABT_pool (*ABT_sched_get_migr_pool_fn)(ABT_sched);
typedef struct {
    ABT_sched_type type; /* ignored */
    ABT_sched_init_fn init;
    ABT_sched_run_fn run;
    ABT_sched_free_fn free;
    ABT_sched_get_migr_pool_fn get_migr_pool;
} ABT_sched_def;

#include "abt_pool_def.h"

typedef void (*ABT_tool_thread_callback_fn)(ABT_thread, ABT_xstream, uint64_t event,
                                            ABT_tool_context, void* argument);
typedef void (*ABT_tool_task_callback_fn)(ABT_task, ABT_xstream, uint64_t event, ABT_tool_context,
                                          void* argument);

#include "abt_functions.h"

#ifdef __cplusplus
}
#endif

#endif
