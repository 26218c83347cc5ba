/* Values of light threads, in C. */
#ifndef ARTEL_C_KEY_H
#define ARTEL_C_KEY_H

#include "../export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of which every light thread has its own, as OS threads have thread-local variables. A
   caller that is not a light thread uses the values of its OS thread. */
typedef struct artel_key {
    uint64_t number;
    void (*destroy)(void* value);
} artel_key;

/* Makes a key. At the end of a light thread or OS thread `destroy` (NULL: nothing) is called with
   each of its values that is not NULL, before a joiner continues; the values that were set first
   are destroyed last. It may set values, which are destroyed in turn: there must be an end to that.
   Keys cost nothing and are never freed. */
ARTEL_API void artel_key_init(artel_key* key, void (*destroy)(void* value));
/* The caller's value; NULL if it has set none. */
ARTEL_API void* artel_key_get(const artel_key* key);
/* Returns 0, or ENOMEM with the value unchanged. The previous value is not destroyed. */
ARTEL_API int artel_key_set(const artel_key* key, void* value);

#ifdef __cplusplus
}
#endif

#endif
