/* Futures in C: a pointer that is set once. A future lies in the program's memory; its members
   belong to the library, and it need not be destroyed. */
#ifndef ARTEL_C_FUTURE_H
#define ARTEL_C_FUTURE_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct artel_future {
    uint32_t ready;
    void* value;
} artel_future;
#define ARTEL_FUTURE_INIT {0, 0}
/* Also makes a future usable again, when there are no waiters and no setter. */
ARTEL_API void artel_future_init(artel_future* future);

/* Sets the value and wakes all waiters. Does not touch the future afterwards: its memory may be
   reused when all calls that get the value have returned. Once between two calls of
   artel_future_init. Any thread; does not switch. */
ARTEL_API void artel_future_set(artel_future* future, void* value);

/* Waits until the value is set, and returns it. Any number of callers, any thread. May switch. */
ARTEL_API void* artel_future_get(artel_future* future);
/* The same, but no longer than until `when` (artel_now()): 0, or ETIMEDOUT. */
ARTEL_API int artel_future_get_until(artel_future* future, int64_t when, void** value);
/* 1 when artel_future_get would not wait. */
ARTEL_API int artel_future_is_ready(const artel_future* future);

/* Runs function(context) on a new light thread; its result becomes the value of the future. Returns
   0, or ENOMEM with nothing started. Does not switch. */
ARTEL_API int artel_async(artel_future* future, void* (*function)(void* context), void* context);

#ifdef __cplusplus
}
#endif

#endif
