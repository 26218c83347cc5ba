/* A reduction operation as the collectives see it: a function that combines two arrays of elements.
 * C, because the Open MPI component is C. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct artel_operation {
    /* out[i] = a[i] op b[i]; `out` may be `a` or `b`, and otherwise does not overlap them. `a`
       belongs to the lower ranks. All three are aligned as the caller's own buffers are, or to 16
       bytes. 0, or an error code; then the collective goes on with arbitrary contents, and the rank
       reports it. */
    int (*merge)(const struct artel_operation* self, const void* a, const void* b, void* out,
                 size_t elements);
    size_t element_bytes; /* the same in all ranks; messages are cut between elements */
    void* context;        /* of the maker of the operation */
    int best_into_b;      /* `out` should not be `a`: that takes a copy */
};

#ifdef __cplusplus
}
#endif
