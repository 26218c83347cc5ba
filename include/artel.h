/* The C interface of libartel. Stable for the life of soname libartel.so.0; every function is
   thread-safe, never throws and, where not said otherwise, never blocks. */
#ifndef ARTEL_H
#define ARTEL_H

#include "artel/export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is loaded, "major.minor.patch". A static string. */
ARTEL_API const char* artel_version(void);

/* How many threads work at a time in this process: ARTEL_NUM_THREADS, or the CPUs the process may
 * keep busy. At least 1. */
ARTEL_API unsigned artel_num_threads(void);

/* Calls body(context, b, e) for pieces [b, e) that together make up [begin, end), possibly at the
   same time, on this thread and on others, and returns when all calls have returned. Pieces have at
   least `grain` iterations where possible (values below 1 count as 1). Calls may be nested and made
   from many threads. The body must return normally: an exception that leaves it ends the program.
 */
ARTEL_API void artel_parallel_for(int64_t begin, int64_t end, int64_t grain,
                                  void (*body)(void* context, int64_t begin, int64_t end),
                                  void* context);

#ifdef __cplusplus
}
#endif

#endif
