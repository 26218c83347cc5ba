/* Suspends the caller, in C, until an event that the program knows of: the end of an asynchronous
   operation, a message, a callback. */
#ifndef ARTEL_C_SUSPEND_H
#define ARTEL_C_SUSPEND_H

#include "../export.hpp"

#ifdef __cplusplus
extern "C" {
#endif

/* The right to resume one suspended caller, once. It may be copied to the code that will signal the
   event. The member belongs to the library. */
typedef struct artel_suspend_point {
    void* latch;
} artel_suspend_point;

/* Calls arrange(here, context) and suspends the caller until artel_resume(here), which may come
   from any thread, also before `arrange` has returned. */
ARTEL_API void artel_suspend(void (*arrange)(artel_suspend_point here, void* context),
                             void* context);
/* Exactly once per point. Any thread, also one that is unknown to the crew; never waits. */
ARTEL_API void artel_resume(artel_suspend_point point);

#ifdef __cplusplus
}
#endif

#endif
