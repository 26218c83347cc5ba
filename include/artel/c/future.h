/* Futures in C: a pointer that somebody brings, once. The future lies where the program wants it;
   its members are the library's, and it need not be destroyed. */
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
/* Also for the next use, when nobody waits or sets. */
ARTEL_API void artel_future_init(artel_future* future);

/* Brings the value and lets all waiters go on. Does not touch the future afterwards: when all who
   get it have returned, its memory may be used for something else. Once between two
   artel_future_init. Any thread; does not switch. */
ARTEL_API void artel_future_set(artel_future* future, void* value);

/* Returns the value when it is there. Any number of callers, any thread. May switch. */
ARTEL_API void* artel_future_get(artel_future* future);
/* The same, but no longer than until `when` (artel_now()): 0, or ETIMEDOUT. */
ARTEL_API int artel_future_get_until(artel_future* future, int64_t when, void** value);
/* 1 when artel_future_get would not wait. */
ARTEL_API int artel_future_is_ready(const artel_future* future);

/* Runs function(context) on a light thread of its own and gives the future what it returns. Returns
   0, or ENOMEM with nothing started. Does not switch. */
ARTEL_API int artel_async(artel_future* future, void* (*function)(void* context), void* context);

#ifdef __cplusplus
}
#endif

#endif
