// OpenBLAS built for OpenMP is the one library that this runtime knows by name, for two reasons
// (decision 0008).
//
// Turns. OpenBLAS runs one region at a time, and other callers spin for their turn in a loop
// without a call. They keep the CPUs from the threads that they wait for: while a spinner has a
// time slice, the jobs of a region do not meet. Its regions begin in a function of its own,
// exec_blas, which its other functions call by that name; preloaded, ours is found first. Ours
// takes turns with a lock that suspends light threads, and calls OpenBLAS's.
//
// Gangs. Inside a region OpenBLAS keeps to one thread, since omp_in_parallel says yes. With
// ARTEL_BLAS_GANGS it is told no while enough workers are idle and the turn is free. The number of
// threads that we then report is its current one, since changing that frees buffers that others may
// be using. The following region gets exactly that many members, even if the workers are no longer
// idle: its jobs wait for each other with sched_yield, which switches to other light threads
// (foreign/interposed/yield.cpp; for builds that do not call it, the monitor adds threads).
//
// The caller is recognised by its return address: the object that contains it exports
// blas_cpu_number. All other callers always get the truth.
#pragma once

#include "team/team.hpp"

#include <atomic>

namespace artel::openmp {

// The answers given to OpenBLAS. unread: the option has not been read. serial: in the child of a
// fork that found the turn held, by a region that never ends there. OpenBLAS would wait for it for
// ever, so it is always told that it is in a region.
enum class blas_answers : unsigned char { unread, truth, gangs, serial };
extern constinit std::atomic<blas_answers> answers_to_blas;

// Whether the answers are the same for all callers.
inline bool everybody_gets_the_truth(const member& m) noexcept
{
    // relaxed: set after the option was read, or in the child of a fork; a stale value only delays
    // the option's effect.
    const blas_answers answers = answers_to_blas.load(std::memory_order_relaxed);
    return answers == blas_answers::truth ||
           (answers == blas_answers::unread && m.in->active_level == 0);
}

// Otherwise: omp_in_parallel and omp_get_max_threads for code at `caller`, on the member `m`.
// OpenBLAS asks the second first, and its answer decides about the gang.
bool in_parallel_for(const member& m, const void* caller) noexcept;
unsigned max_threads_for(member& m, unsigned truth, const void* caller) noexcept;

// omp_in_parallel for any caller.
inline bool is_told_in_parallel(const member& m, const void* caller) noexcept
{
    return everybody_gets_the_truth(m) ? m.in->active_level > 0 : in_parallel_for(m, caller);
}

// The size of a region that `master` has met while a gang was promised to it (member::gang). A
// region of the program cancels the promise.
unsigned size_for_gang(member& master, region_function function, const void* data,
                       unsigned requested, unsigned otherwise) noexcept;

// Finds the code that a region runs: `function`, or the function that it calls. Interfaces that
// start regions by a function of their own set find_body when the library is loaded
// (abi/kmp/fork.cpp).
using body_finder = const void* (*)(region_function function, const void* data) noexcept;
extern constinit body_finder find_body;

// In the child of a fork.
void reset_blas_after_fork() noexcept;

}  // namespace artel::openmp
