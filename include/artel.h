/* The C interface of libartel. Stable for the life of soname libartel.so.0; every function is
   thread-safe, never throws and, unless its comment says otherwise, never blocks. This header has
   workers, loops and calls. Tasks, light threads and what they wait for have headers of their own
   in artel/c, which this one includes. Functions that can fail return 0 or an error number of
   <errno.h>. */
#ifndef ARTEL_H
#define ARTEL_H

#include "artel/c/feb.h"
#include "artel/c/future.h"
#include "artel/c/key.h"
#include "artel/c/light_thread.h"
#include "artel/c/limit.h"
#include "artel/c/lock.h"
#include "artel/c/loop.h"
#include "artel/c/meeting.h"
#include "artel/c/reduce.h"
#include "artel/c/sort.h"
#include "artel/c/suspend.h"
#include "artel/c/task_group.h"
#include "artel/export.hpp"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is loaded, "major.minor.patch". A static string. */
ARTEL_API const char* artel_version(void);

/* How many threads work at a time in this process: ARTEL_NUM_THREADS, or the CPUs the process may
   keep busy. At least 1. */
ARTEL_API unsigned artel_num_threads(void);

/* The number of the worker that executes the caller, below artel_worker_index_bound(), which is a
   constant of some thousands. Two callers that execute at the same time have different numbers. The
   lowest free number is given first: where one thread of the program uses Artel, and the crew has
   two threads or more and need not add any, all numbers are below artel_num_threads(). (Only OS
   threads that find all numbers taken share the last one.) The number of a thread that the crew did
   not make never changes. Any other caller keeps its number until it may switch: in a call of
   artel_parallel_for or artel_par_do, or when a light thread waits. Numbers are given anew in the
   child of a fork. A thread's first call takes some microseconds and may block for as long. */
ARTEL_API unsigned artel_worker_index(void);
ARTEL_API unsigned artel_worker_index_bound(void);

/* One more than the highest index given so far: how much of an array with an element for each index
   need be read when all work is done. */
ARTEL_API unsigned artel_worker_index_end(void);

/* Calls body(context, b, e) for pieces [b, e) that together make up [begin, end), possibly at the
   same time, on this thread and on others, and returns when all calls have returned. Pieces have at
   least `grain` iterations where possible (values below 1 count as 1). Calls may be nested and made
   from many threads. The body must return normally: an exception that leaves it ends the program.
 */
ARTEL_API void artel_parallel_for(int64_t begin, int64_t end, int64_t grain,
                                  void (*body)(void* context, int64_t begin, int64_t end),
                                  void* context);

/* Calls left(left_context) and right(right_context), possibly at the same time, on this thread and
   on another, and returns when both calls have returned; waits as artel_parallel_for does, and may
   be nested. The functions must return normally. */
ARTEL_API void artel_par_do(void (*left)(void* context), void* left_context,
                            void (*right)(void* context), void* right_context);

/* Limits everything until artel_width_end: the calls of artel_parallel_for and artel_par_do that
   this thread (or light thread) makes, and those inside of them on any worker, run on at most
   `most` threads at a time, all together and including the caller. 0: no limit of its own. May be
   nested: each is ended by its own artel_width_end, on the same thread, the innermost first.
   Returns 0, or ENOMEM with nothing begun. */
ARTEL_API int artel_width_begin(unsigned most);
/* Does nothing if no width was begun. */
ARTEL_API void artel_width_end(void);

/* For callers that hold a lock: until artel_isolation_end the waits of this thread (or light
   thread) run only what they wait for, and block the OS thread when there is nothing to run.
   Without it, the OS thread of a caller that waits in artel_parallel_for or artel_par_do may run
   other code of the program, which may need the same lock. May be nested. Must end on the thread
   where it began. */
ARTEL_API void artel_isolation_begin(void);
/* Does nothing if no isolation was begun. */
ARTEL_API void artel_isolation_end(void);

#ifdef __cplusplus
}
#endif

#endif
