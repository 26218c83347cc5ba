/* Light threads in C: like POSIX threads, at a thousandth of their cost. */
#ifndef ARTEL_C_LIGHT_THREAD_H
#define ARTEL_C_LIGHT_THREAD_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A light thread that must be joined or detached, once. */
typedef struct artel_light_thread artel_light_thread;

/* Starts function(context) on a light thread, which runs on whichever worker takes it, and after
   each wait perhaps on another one. It must not wait for others in a loop without artel_yield();
   thread-local variables are those of the worker that runs it at the moment. Its stack has
   ARTEL_STACK_SIZE bytes. With `thread` NULL it is detached from the beginning. The function must
   return normally. Returns 0, or ENOMEM with nothing started. Any thread; does not switch. */
ARTEL_API int artel_light_thread_start(artel_light_thread** thread, void (*function)(void* context),
                                       void* context);

/* Waits until the light thread has ended. If it has not been started yet, and the caller's stack
   has room, it runs at once on that stack. Returns 0, or with nothing done EDEADLK for a light
   thread that joins itself, EINVAL for NULL. May switch. */
ARTEL_API int artel_light_thread_join(artel_light_thread* thread);

/* Detaches it. Returns 0, or EINVAL for NULL. */
ARTEL_API int artel_light_thread_detach(artel_light_thread* thread);

/* The id of the calling light thread; 0 outside of light threads. May be reused after the light
   thread has ended. */
ARTEL_API uintptr_t artel_light_thread_id(void);

/* Lets others run: light threads that are ready, and those that have not started. On an OS thread
   outside the crew, as sched_yield. Switches. */
ARTEL_API void artel_yield(void);

/* Nanoseconds of CLOCK_MONOTONIC: the clock of all points in time of this interface. */
ARTEL_API int64_t artel_now(void);

/* Suspend the caller for this many nanoseconds, or until that point in time. Its worker does other
   work meanwhile. Return at once if the time has passed. */
ARTEL_API void artel_sleep_for(int64_t nanoseconds);
ARTEL_API void artel_sleep_until(int64_t when);

#ifdef __cplusplus
}
#endif

#endif
