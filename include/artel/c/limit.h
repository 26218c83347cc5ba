/* Limits of a loop or a group of tasks, in C: how many may run at a time, on which NUMA nodes, and
   until when. */
#ifndef ARTEL_C_LIMIT_H
#define ARTEL_C_LIMIT_H

#include "../export.hpp"

#ifdef __cplusplus
extern "C" {
#endif

/* A request to end early, for any number of loops and groups. */
typedef struct artel_stop artel_stop;

/* Makes a stop that has not been requested; NULL without memory. */
ARTEL_API artel_stop* artel_stop_create(void);
/* Requests the stop. This cannot be undone. */
ARTEL_API void artel_stop_request(artel_stop* stop);
/* 1 if it has been requested, else 0. */
ARTEL_API int artel_stop_requested(const artel_stop* stop);
/* Frees it, after the loops and groups that use it have ended. Does nothing for NULL. */
ARTEL_API void artel_stop_destroy(artel_stop* stop);

/* All zero: no limit. */
typedef struct artel_limit {
    /* At most this many run at a time, including the caller; 0: as many as the crew has workers. */
    unsigned concurrency;
    /* OS indices of the NUMA nodes whose workers may take part; 0: all. Indices that do not exist
       are ignored; if none is left, all nodes take part. */
    unsigned numa_count;
    const unsigned* numas;
    /* When this stop is requested, work that has not begun is dropped; NULL: no stop. */
    artel_stop* stop;
} artel_limit;

#ifdef __cplusplus
}
#endif

#endif
