/* Light threads in C: as POSIX threads, at a thousandth of their price. */
#ifndef ARTEL_C_LIGHT_THREAD_H
#define ARTEL_C_LIGHT_THREAD_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A light thread that is to be joined or detached, once. */
typedef struct artel_light_thread artel_light_thread;

/* Starts function(context) on a light thread, which runs on whichever worker takes it, and may be
   on another one after each wait. It must not wait for others in a loop without artel_yield();
   thread-local variables are those of the worker of the moment. Its stack has ARTEL_STACK_SIZE
   bytes. With `thread` NULL it is detached from the beginning. The function must return normally.
   Returns 0, or ENOMEM with nothing started. Any thread; does not switch. */
ARTEL_API int artel_light_thread_start(artel_light_thread** thread, void (*function)(void* context),
                                       void* context);

/* Returns when the light thread has ended. If nobody has begun it yet, and the caller's stack has
   room, it runs here and now, on that stack. Returns 0, or with nothing done EDEADLK for a light
   thread that would join itself, EINVAL for NULL. May switch. */
ARTEL_API int artel_light_thread_join(artel_light_thread* thread);

/* Lets it go on by itself. Returns 0, or EINVAL for NULL. */
ARTEL_API int artel_light_thread_detach(artel_light_thread* thread);

/* Names the light thread that calls; 0 outside of light threads. May be given again after the light
   thread has ended. */
ARTEL_API uintptr_t artel_light_thread_id(void);

/* Lets others run: light threads that are ready, and those that have not begun. On an OS thread
   outside the crew, as sched_yield. Switches. */
ARTEL_API void artel_yield(void);

/* Nanoseconds of CLOCK_MONOTONIC: the clock of all points in time of this interface. */
ARTEL_API int64_t artel_now(void);

/* Suspend the caller for so many nanoseconds, or until that point in time. Its worker does other
   work meanwhile. Return at once for what is not ahead. */
ARTEL_API void artel_sleep_for(int64_t nanoseconds);
ARTEL_API void artel_sleep_until(int64_t when);

#ifdef __cplusplus
}
#endif

#endif
