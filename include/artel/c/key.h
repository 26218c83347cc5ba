/* Values of light threads, in C. */
#ifndef ARTEL_C_KEY_H
#define ARTEL_C_KEY_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of which every light thread has its own, as thread-local variables are of OS threads. A
   caller that is no light thread has the values of its OS thread. */
typedef struct artel_key {
    uint64_t number;
    void (*destroy)(void* value);
} artel_key;

/* A new key. `destroy` (NULL: nothing) is called with each value that is not NULL at the end of its
   light thread or OS thread, before whoever joins that goes on; values that were set first are
   destroyed last. Keys cost nothing and are never given back. */
ARTEL_API void artel_key_init(artel_key* key, void (*destroy)(void* value));
/* The caller's value; NULL if it has set none. */
ARTEL_API void* artel_key_get(const artel_key* key);
/* Returns 0, or ENOMEM with the value as it was. What was set before is not destroyed. */
ARTEL_API int artel_key_set(const artel_key* key, void* value);

#ifdef __cplusplus
}
#endif

#endif
