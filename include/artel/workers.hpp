// Who is at work: how many, and a number for the caller's worker.
//
// For data of which each worker has its own: an array with worker_index_bound() elements, each on a
// cache line of its own, indexed by worker_index(). Between two points at which the caller may
// switch (a loop, parallel_invoke, a wait, yield) nobody else has its index, so the element needs
// no lock; after such a point the index may be another one.
#pragma once

#include <artel/export.hpp>

namespace artel {

// How many work at a time: ARTEL_NUM_THREADS, or the CPUs the process may keep busy. At least 1;
// the same for the life of the process (the child of a fork counts anew). For cut-offs, and for how
// many pieces to make; no bound of indices. The same as artel_num_threads() in C. Any thread; does
// not block.
ARTEL_API unsigned num_threads() noexcept;
// The same, by the name that it has in other libraries.
inline unsigned concurrency() noexcept
{
    return num_threads();
}

// The number of the worker that executes the caller, below worker_index_bound(). Of two callers
// that execute at the same time each has another one, whatever they are: the crew's own workers, OS
// threads that it has added, or the program's own threads, which have a number from their first
// call until they end. Numbers are dense: the lowest that is free is given first. So where one
// thread of the program uses Artel, and the crew has two threads or more and need not add any, all
// are below concurrency(); each further thread of the program that uses it takes one more.
//
// The only exception: OS threads that find all numbers taken, thousands of them, share
// worker_index_bound() - 1, and must not write to what that indexes without a lock.
//
// Stays the same until the caller next switches; always the same for a thread that the crew did not
// make, outside of light threads. Anew in the child of a fork. About 1 ns; a thread's first call
// takes some microseconds and may block for as long. Any thread.
ARTEL_API unsigned worker_index() noexcept;

// More than every worker_index() that there will ever be: a constant of some thousands, since any
// number of OS threads may call Artel, and the crew adds some where the others are stuck. For the
// sizes of arrays. Any thread; does not block.
ARTEL_API unsigned worker_index_bound() noexcept;

// One more than the highest index that has been given so far: as far as an array of that kind needs
// to be read when everybody is done. Rises, up to worker_index_bound(). Any thread; does not block.
ARTEL_API unsigned worker_index_end() noexcept;

}  // namespace artel
