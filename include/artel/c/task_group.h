/* Groups of tasks in C: any number of tasks, created one by one, waited for together. */
#ifndef ARTEL_C_TASK_GROUP_H
#define ARTEL_C_TASK_GROUP_H

#include "limit.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The members are the library's. */
typedef struct artel_task_group {
    uint32_t pending;
    unsigned char flags[4];
    void* error;
    void* queue;
} artel_task_group;

/* Makes a group, with limits or with NULL. Returns 0, or ENOMEM with nothing made. Must be
   destroyed by artel_task_group_destroy. */
ARTEL_API int artel_task_group_init(artel_task_group* group, const artel_limit* limit);

/* Queues a call of task(context) for some worker. If a width (artel_width_begin) has no free place,
   the task may begin only when a caller waits for the group; in a crew of one thread, when a caller
   waits, or when this one blocks or computes for some milliseconds. May be called on any thread and
   in any task, also one of the group itself; does not switch. The task must return normally.
   Returns 0, or ENOMEM: the task will not be called. */
ARTEL_API int artel_task_group_run(artel_task_group* group, void (*task)(void* context),
                                   void* context);

/* Runs tasks of the group that the caller's worker has queued, then suspends the caller until all
 * are done. Afterwards the group may be used again. Returns 0, or ECANCELED if it had been
 * cancelled. */
ARTEL_API int artel_task_group_wait(artel_task_group* group);

/* Tasks that have not begun are dropped; running ones may ask whether the group is cancelled. Any
   thread. */
ARTEL_API void artel_task_group_cancel(artel_task_group* group);
ARTEL_API int artel_task_group_is_cancelled(const artel_task_group* group);

/* Waits for the remaining tasks. The group may be made again afterwards. */
ARTEL_API void artel_task_group_destroy(artel_task_group* group);

#ifdef __cplusplus
}
#endif

#endif
