/* A message as the broadcast sees it: contiguous bytes, or a function that takes the next bytes
   from (root) or puts them into (others) a buffer of any layout. C, because the Open MPI component
   is C: Open MPI's internal headers are not C++. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct artel_message {
    void* data;   /* the bytes if they are contiguous; else NULL */
    size_t bytes; /* of the whole message: the same in all ranks, whatever their types */
    /* When data is NULL: packs the next `bytes` bytes of the message into `packed` (root), or
       unpacks them from there (others). Called with pieces of any size, in order, `bytes` in total.
       0, or an error code, which ends the broadcast. */
    int (*move)(void* stream, void* packed, size_t bytes);
    void* stream;
};

#ifdef __cplusplus
}
#endif
