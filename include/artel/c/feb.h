/* Full/empty words in C: 64 bits that are full or empty. Readers wait until the word is full,
   writers until it is empty. Waiters are served in the order that artel/feb.hpp states.

   For light threads and OS threads; a waiter is suspended, and its worker does other work. A word
   lies in the program's memory and allocates none; its members belong to the library. It need not
   be destroyed, but nothing may wait for it when its memory is reused. */
#ifndef ARTEL_C_FEB_H
#define ARTEL_C_FEB_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct artel_feb {
    uint32_t state;
    void* first;
    void* last;
    uint64_t value;
} artel_feb;
#define ARTEL_FEB_EMPTY {0, 0, 0, 0}
#define ARTEL_FEB_FULL(value) {1, 0, 0, value}
ARTEL_API void artel_feb_init_empty(artel_feb* feb);
ARTEL_API void artel_feb_init_full(artel_feb* feb, uint64_t value);

/* These wait, and may switch. The letters name the state before and after: */
ARTEL_API void artel_feb_write_ef(artel_feb* feb, uint64_t value);
ARTEL_API void artel_feb_write_ff(artel_feb* feb, uint64_t value);
ARTEL_API uint64_t artel_feb_read_ff(artel_feb* feb);
ARTEL_API uint64_t artel_feb_read_fe(artel_feb* feb);

/* The same without waiting: 0, or EAGAIN with nothing done. */
ARTEL_API int artel_feb_try_write_ef(artel_feb* feb, uint64_t value);
ARTEL_API int artel_feb_try_read_ff(artel_feb* feb, uint64_t* value);
ARTEL_API int artel_feb_try_read_fe(artel_feb* feb, uint64_t* value);

/* Fills the word, full or not. Does not wait. */
ARTEL_API void artel_feb_write_f(artel_feb* feb, uint64_t value);
/* Makes the word empty, whatever its state. Does not wait. */
ARTEL_API void artel_feb_purge(artel_feb* feb);
/* 1 or 0; only a hint, since others may change the word at the same moment. */
ARTEL_API int artel_feb_is_full(const artel_feb* feb);

#ifdef __cplusplus
}
#endif

#endif
