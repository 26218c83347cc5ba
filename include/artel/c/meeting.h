/* Barrier, latch and sinc in C, for light threads and OS threads. A waiter is suspended and its
   worker does other work, so there may be more participants than workers. They lie in the program's
   memory, allocate none and need not be destroyed; their members belong to the library. Functions
   named wait may switch; the others do not. */
#ifndef ARTEL_C_MEETING_H
#define ARTEL_C_MEETING_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A reusable barrier: each phase ends when all expected participants have arrived. */
typedef struct artel_barrier {
    uint32_t phase;
    uint32_t expected;
    uint32_t missing;
    void (*completion)(void* context);
    void* context;
} artel_barrier;

/* For this many participants; `completion` (NULL: nothing) runs once per phase, on the last one to
   arrive, before the others are released. Returns 0, or EINVAL for 0 or more than INT32_MAX. */
ARTEL_API int artel_barrier_init(artel_barrier* barrier, uint32_t expected,
                                 void (*completion)(void* context), void* context);
/* Arrives, and waits for the others. */
ARTEL_API void artel_barrier_wait(artel_barrier* barrier);
/* Arrives without waiting. The result names the phase; it may be passed to artel_barrier_wait_for
   once. */
ARTEL_API uint32_t artel_barrier_arrive(artel_barrier* barrier);
/* Waits for the end of that phase. */
ARTEL_API void artel_barrier_wait_for(artel_barrier* barrier, uint32_t phase);
/* Arrives, and is not expected in later phases. */
ARTEL_API void artel_barrier_drop(artel_barrier* barrier);

/* A counter that goes down once, and releases all waiters when it reaches zero. */
typedef struct artel_latch {
    uint32_t left;
} artel_latch;
#define ARTEL_LATCH_INIT(expected) {expected}
ARTEL_API void artel_latch_init(artel_latch* latch, uint32_t expected);
/* `by` is at most the present count. When the count reaches zero a waiter may already free the
   latch. */
ARTEL_API void artel_latch_count_down(artel_latch* latch, uint32_t by);
ARTEL_API void artel_latch_wait(artel_latch* latch);
ARTEL_API int artel_latch_is_open(const artel_latch* latch); /* 1 when wait would not wait */

/* A latch that may be told to expect more, for trees of light threads whose size is not known in
   advance. */
typedef struct artel_sinc {
    uint32_t left;
} artel_sinc;
#define ARTEL_SINC_INIT(expected) {expected}
/* Also makes a sinc usable again, when there are no waiters and no submitters. */
ARTEL_API void artel_sinc_init(artel_sinc* sinc, uint32_t expected);
/* Adds to the number of expected submissions. The caller must know that the sinc cannot be complete
   before the call returns: its own submission is still missing, or there are no waiters yet. */
ARTEL_API void artel_sinc_expect(artel_sinc* sinc, uint32_t count);
/* The last submission wakes the waiters, which may then reuse its memory. */
ARTEL_API void artel_sinc_submit(artel_sinc* sinc, uint32_t count);
/* Waits until all expected submissions have been made. */
ARTEL_API void artel_sinc_wait(artel_sinc* sinc);
ARTEL_API int artel_sinc_is_complete(const artel_sinc* sinc); /* 1 when wait would not wait */

#ifdef __cplusplus
}
#endif

#endif
