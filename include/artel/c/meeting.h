/* Meeting points in C: barrier, latch and sinc, for light threads and OS threads. Who waits is
   suspended, and its worker does other work, so more participants than workers are no problem. They
   lie where the program wants them and need neither memory nor to be destroyed; their members are
   the library's. Functions named wait may switch; the others do not. */
#ifndef ARTEL_C_MEETING_H
#define ARTEL_C_MEETING_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Used again and again: each phase ends when all who are expected have arrived. */
typedef struct artel_barrier {
    uint32_t phase;
    uint32_t expected;
    uint32_t missing;
    void (*completion)(void* context);
    void* context;
} artel_barrier;

/* For so many; `completion` (NULL: nothing) runs once per phase, on the last to arrive, before
   anybody is let through. Returns 0, or EINVAL for none or more than INT32_MAX. */
ARTEL_API int artel_barrier_init(artel_barrier* barrier, uint32_t expected,
                                 void (*completion)(void* context), void* context);
/* Arrives, and waits for the others. */
ARTEL_API void artel_barrier_wait(artel_barrier* barrier);
/* Arrives only. The result names the phase, for artel_barrier_wait_for, once. */
ARTEL_API uint32_t artel_barrier_arrive(artel_barrier* barrier);
/* Waits for the end of that phase. */
ARTEL_API void artel_barrier_wait_for(artel_barrier* barrier, uint32_t phase);
/* Arrives, and is not expected in later phases. */
ARTEL_API void artel_barrier_drop(artel_barrier* barrier);

/* Goes down once, and lets everybody through when it is zero. */
typedef struct artel_latch {
    uint32_t left;
} artel_latch;
#define ARTEL_LATCH_INIT(expected) {expected}
ARTEL_API void artel_latch_init(artel_latch* latch, uint32_t expected);
/* By no more than what is left. When it is zero the latch may be gone at once. */
ARTEL_API void artel_latch_count_down(artel_latch* latch, uint32_t by);
ARTEL_API void artel_latch_wait(artel_latch* latch);
ARTEL_API int artel_latch_is_open(const artel_latch* latch); /* 1 when wait would not wait */

/* As a latch that may be told to expect more, as trees of light threads need that do not know
   beforehand how many they will be. */
typedef struct artel_sinc {
    uint32_t left;
} artel_sinc;
#define ARTEL_SINC_INIT(expected) {expected}
/* Also for the next use, when nobody waits or submits. */
ARTEL_API void artel_sinc_init(artel_sinc* sinc, uint32_t expected);
/* So many more submissions are needed. By whoever knows that the sinc cannot be complete before it
   returns: a submission of its own is missing, or nobody waits yet. */
ARTEL_API void artel_sinc_expect(artel_sinc* sinc, uint32_t count);
/* The last submission lets the waiters go on; they may destroy the sinc then. */
ARTEL_API void artel_sinc_submit(artel_sinc* sinc, uint32_t count);
/* Returns when all that is expected has been submitted. */
ARTEL_API void artel_sinc_wait(artel_sinc* sinc);
ARTEL_API int artel_sinc_is_complete(const artel_sinc* sinc); /* 1 when wait would not wait */

#ifdef __cplusplus
}
#endif

#endif
