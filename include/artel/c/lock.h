/* Locks in C: mutex, shared mutex, condition and semaphore, for light threads and OS threads. A
   waiter is suspended, and its worker does other work. All are small, lie in the program's memory
   and allocate none. Their members belong to the library.

   Functions that wait may switch; the others do not. Points in time are those of artel_now(). */
#ifndef ARTEL_C_LOCK_H
#define ARTEL_C_LOCK_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Not recursive, not fair: the first caller gets an unlocked mutex; waiters are woken in their
   order. May be held across suspensions, and unlocked on another OS thread than locked. Need not be
   destroyed. */
typedef struct artel_mutex {
    uint32_t word;
} artel_mutex;
#define ARTEL_MUTEX_INIT {0}
ARTEL_API void artel_mutex_init(artel_mutex* mutex);
/* Waits until the caller has the mutex. */
ARTEL_API void artel_mutex_lock(artel_mutex* mutex);
/* Returns 0, or EBUSY. */
ARTEL_API int artel_mutex_trylock(artel_mutex* mutex);
/* Called by the holder. */
ARTEL_API void artel_mutex_unlock(artel_mutex* mutex);

/* For many readers or one writer. While a writer waits, no reader can lock it; otherwise not fair,
   and not recursive, not even for readers. Need not be destroyed. At most 2^29 - 1 readers. */
typedef struct artel_shared_mutex {
    uint32_t word;
} artel_shared_mutex;
#define ARTEL_SHARED_MUTEX_INIT {0}
ARTEL_API void artel_shared_mutex_init(artel_shared_mutex* mutex);
/* For a writer. */
ARTEL_API void artel_shared_mutex_lock(artel_shared_mutex* mutex);
ARTEL_API int artel_shared_mutex_trylock(artel_shared_mutex* mutex); /* 0 or EBUSY */
ARTEL_API void artel_shared_mutex_unlock(artel_shared_mutex* mutex);
/* For a reader. */
ARTEL_API void artel_shared_mutex_lock_shared(artel_shared_mutex* mutex);
ARTEL_API int artel_shared_mutex_trylock_shared(artel_shared_mutex* mutex); /* 0 or EBUSY */
ARTEL_API void artel_shared_mutex_unlock_shared(artel_shared_mutex* mutex);

/* Wake-ups may be spurious: wait in a loop that checks the condition. */
typedef struct artel_condition {
    uint32_t notifications;
    uint32_t inside;
} artel_condition;
#define ARTEL_CONDITION_INIT {0, 0}
ARTEL_API void artel_condition_init(artel_condition* condition);
/* Unlocks the mutex, suspends the caller until notified, locks again. */
ARTEL_API void artel_condition_wait(artel_condition* condition, artel_mutex* mutex);
/* The same, but no longer than until `when`. Returns 0, or ETIMEDOUT when nobody notified the
   caller in time; the mutex is locked in either case. */
ARTEL_API int artel_condition_wait_until(artel_condition* condition, artel_mutex* mutex,
                                         int64_t when);
/* With or without the mutex held. */
ARTEL_API void artel_condition_notify_one(artel_condition* condition);
ARTEL_API void artel_condition_notify_all(artel_condition* condition);
/* Call it before the memory is reused. All waiters must have been notified, but need not have
   returned from their waits: this blocks until they no longer use the condition. */
ARTEL_API void artel_condition_destroy(artel_condition* condition);

/* At most INT32_MAX permits. Not fair: the first caller gets a permit. Need not be destroyed. */
typedef struct artel_semaphore {
    uint32_t permits;
} artel_semaphore;
#define ARTEL_SEMAPHORE_INIT(permits) {permits}
ARTEL_API void artel_semaphore_init(artel_semaphore* semaphore, uint32_t permits);
/* Takes one permit; waits while there is none. */
ARTEL_API void artel_semaphore_acquire(artel_semaphore* semaphore);
ARTEL_API int artel_semaphore_try_acquire(artel_semaphore* semaphore); /* 0 or EAGAIN */
/* As acquire, but gives up at `when`: returns 0, or ETIMEDOUT. */
ARTEL_API int artel_semaphore_acquire_until(artel_semaphore* semaphore, int64_t when);
ARTEL_API void artel_semaphore_release(artel_semaphore* semaphore, uint32_t permits);

#ifdef __cplusplus
}
#endif

#endif
