/* A reduction operation as the collectives see it: how two rows of elements become one. C, because
 * the Open MPI component is C. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct artel_operation {
    /* out[i] = a[i] op b[i]; `out` may be `a` or `b` and overlaps neither otherwise. `a` is of the
       lower ranks. All three are aligned as the caller's own buffers are, or to 16 bytes. 0, or an
       error code; then the rest of the collective goes on with whatever is there, and the rank
       reports it. */
    int (*merge)(const struct artel_operation* self, const void* a, const void* b, void* out,
                 size_t elements);
    size_t element_bytes; /* the same in all ranks; messages are cut between elements */
    void* context;        /* of whoever made it */
    int best_into_b;      /* `out` had better not be `a`: that takes a copy */
};

#ifdef __cplusplus
}
#endif
