/* Groups of tasks in C: any number of tasks, made one by one, awaited together. */
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

/* Makes a group, with limits or with NULL. Returns 0, or ENOMEM with nothing made. Ends with
   artel_task_group_destroy. */
ARTEL_API int artel_task_group_init(artel_task_group* group, const artel_limit* limit);

/* Calls task(context) some time, on some worker; with a width (artel_width_begin) without a free
   place, when somebody waits; in a crew of one thread, when somebody waits or the caller blocks or
   computes for some milliseconds. Any thread and any task, also one of the group itself; does not
   switch. The task must return normally. Returns 0, or ENOMEM: the task will not be called. */
ARTEL_API int artel_task_group_run(artel_task_group* group, void (*task)(void* context),
                                   void* context);

/* Runs tasks of the group that the caller's worker has not begun, then suspends the caller until
   all are done. Afterwards the group is as new. Returns 0, or ECANCELED if it had been cancelled.
 */
ARTEL_API int artel_task_group_wait(artel_task_group* group);

/* Tasks that have not begun are dropped; those that run may ask. Any thread. */
ARTEL_API void artel_task_group_cancel(artel_task_group* group);
ARTEL_API int artel_task_group_is_cancelled(const artel_task_group* group);

/* Waits for what is left. The group can be made anew then. */
ARTEL_API void artel_task_group_destroy(artel_task_group* group);

#ifdef __cplusplus
}
#endif

#endif
