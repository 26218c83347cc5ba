/* Loops in C with a choice of partitioners, and boxes of two and three indices. The plain loop is
   artel_parallel_for in <artel.h>.

   Common to all: the call returns when all calls of the body have returned; the caller takes part.
   It waits as artel_parallel_for does: a light thread may continue on another worker. Loops may be
   nested, and called from many threads. Bodies must return normally: an exception that leaves one
   ends the program. */
#ifndef ARTEL_C_LOOP_H
#define ARTEL_C_LOOP_H

#include "limit.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How iterations are distributed; see artel/partitioner.hpp. None changes what a loop computes. */
typedef enum artel_partitioner {
    ARTEL_AUTOMATIC = 0,
    ARTEL_STATIC = 1,
    ARTEL_SIMPLE = 2,
    ARTEL_DYNAMIC = 3,
    ARTEL_GUIDED = 4,
    ARTEL_LAZY = 5,
    ARTEL_HEARTBEAT = 6,
    ARTEL_TIMESPAN = 7,
    ARTEL_TIMESPAN_GRAIN = 8
} artel_partitioner;

/* All zero, or NULL in its place: ARTEL_AUTOMATIC, any grain, no limit. */
typedef struct artel_loop_options {
    /* Fewest iterations of a piece where possible; 0: the partitioner chooses. */
    int64_t grain;
    artel_partitioner partitioner;
    const artel_limit* limit;
} artel_loop_options;

/* As artel_parallel_for, with options. Returns 0; EINVAL for an unknown partitioner or ENOMEM, with
   nothing run; or ECANCELED when the limit's stop was requested before the end. */
ARTEL_API int artel_parallel_for_with(const artel_loop_options* options, int64_t begin, int64_t end,
                                      void (*body)(void* context, int64_t begin, int64_t end),
                                      void* context);

/* One index of a box. A box is cut into blocks of `grain` iterations (values below 1 count as 1) of
   this side, fewer at the end. */
typedef struct artel_side {
    int64_t begin;
    int64_t end;
    int64_t grain;
} artel_side;

/* Calls body(context, box), where `box` is an array with an element for each side, for boxes that
   together make up all combinations of the indices of `dimensions` sides (1 to 3; the last one runs
   fastest). The grain of the options counts blocks. Returns as artel_parallel_for_with; also EINVAL
   for another number of dimensions, and EOVERFLOW for a side with 2^63 iterations or more. */
ARTEL_API int artel_parallel_for_box(const artel_loop_options* options, const artel_side* sides,
                                     unsigned dimensions,
                                     void (*body)(void* context, const artel_side* box),
                                     void* context);

#ifdef __cplusplus
}
#endif

#endif
