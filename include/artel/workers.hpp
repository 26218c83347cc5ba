// The number of threads that work at a time, and the index of the caller's worker.
//
// For data of which each worker has its own: an array with worker_index_bound() elements, each on a
// cache line of its own, indexed by worker_index(). Between two points at which the caller may
// switch (a loop, parallel_invoke, a wait, yield) no other caller has its index, so the element
// needs no lock; after such a point the index may be another one.
#pragma once

#include <artel/export.hpp>

namespace artel {

// The number of threads that work at a time: ARTEL_NUM_THREADS, or the number of CPUs that the
// process may keep busy. At least 1; constant for the life of the process (the child of a fork
// counts anew). For cut-offs, and for the number of pieces to make; it does not bound indices. The
// same as artel_num_threads() in C. Any thread; does not block.
ARTEL_API unsigned num_threads() noexcept;
// The same, by the name that other libraries use.
inline unsigned concurrency() noexcept
{
    return num_threads();
}

// The number of the worker that executes the caller, below worker_index_bound(). Two callers that
// execute at the same time have different numbers, be they on workers of the crew, on OS threads
// that it has added, or threads of the program, which keep a number from their first call until
// they end. Numbers are dense: the lowest free one is given first. So where one thread of the
// program uses Artel, and the crew has two threads or more and need not add any, all are below
// concurrency(); each further thread of the program that uses it takes one more.
//
// The only exception: OS threads that find all numbers taken, thousands of them, share
// worker_index_bound() - 1, and must not write to what that indexes without a lock.
//
// The number of a thread that the crew did not make never changes, outside of light threads. Any
// other caller keeps its number until it may switch. Numbers are given anew in the child of a fork.
// About 1 ns; a thread's first call takes some microseconds and may block for as long. Any thread.
ARTEL_API unsigned worker_index() noexcept;

// More than every worker_index() that there will ever be: a constant of some thousands, since any
// number of OS threads may call Artel, and the crew adds some when others are stuck. For the sizes
// of arrays. Any thread; does not block.
ARTEL_API unsigned worker_index_bound() noexcept;

// One more than the highest index given so far: how much of such an array need be read when all
// work is done. Rises, up to worker_index_bound(). Any thread; does not block.
ARTEL_API unsigned worker_index_end() noexcept;

}  // namespace artel
