// OpenBLAS built for OpenMP is the one library that this runtime knows by name, for two reasons
// (decision 0008).
//
// Turns. It runs one region at a time, and has other callers spin for their turn in a loop without
// a call. They keep the CPUs from those that they wait for: each time slice of the kernel that a
// spinner gets is one in which the jobs of a region do not meet. Its regions begin in a function of
// its own, exec_blas, which its other functions call by that name; preloaded, ours is found first.
// It takes turns with a lock that suspends light threads, and calls OpenBLAS's.
//
// Gangs. Inside a region it keeps to one thread, since omp_in_parallel says yes. With
// ARTEL_BLAS_GANGS it is told no while enough workers have nothing to do and nobody else has the
// turn; then what it is told to be its number of threads is the one that it has, since changing
// that frees buffers that others may be using. The region that follows gets exactly that many
// members, whatever has become of the idle workers: its jobs wait for each other, and call
// sched_yield meanwhile, by which light threads take turns (interposed.cpp; for builds that do not,
// the monitor adds threads).
//
// Who asks is known by the return address: the object that it lies in exports blas_cpu_number.
// Nobody else is ever told anything but the truth.
#pragma once

#include "team/team.hpp"

#include <atomic>

namespace artel::openmp {

// What OpenBLAS is told. unread: the option has not been read. serial: in the child of a fork that
// found the turn taken, whose region ends nowhere: OpenBLAS would wait for it for ever, so it is
// told that it is in a region wherever it asks.
enum class blas_answers : unsigned char { unread, truth, gangs, serial };
extern constinit std::atomic<blas_answers> blas_is_told;

// Whether an answer does not depend on who asks.
inline bool everybody_gets_the_truth(const member& m) noexcept
{
    // relaxed: set where it has just been read, or in the child of a fork; a stale value delays the
    // option's effect.
    const blas_answers told = blas_is_told.load(std::memory_order_relaxed);
    return told == blas_answers::truth || (told == blas_answers::unread && m.in->active_level == 0);
}

// Otherwise: omp_in_parallel and omp_get_max_threads as asked from `caller`, who is `m`. The second
// is asked first, and decides.
bool in_parallel_for(const member& m, const void* caller) noexcept;
unsigned max_threads_for(member& m, unsigned truth, const void* caller) noexcept;

// omp_in_parallel for whoever asks.
inline bool is_told_in_parallel(const member& m, const void* caller) noexcept
{
    return everybody_gets_the_truth(m) ? m.in->active_level > 0 : in_parallel_for(m, caller);
}

// The size of a region that `master` has met, to which a gang was promised (member::gang): a region
// of the program takes the promise back.
unsigned size_for_gang(member& master, region_function function, const void* data,
                       unsigned requested, unsigned otherwise) noexcept;

// Whose code a region runs, where parallel() is given `function` and `data`: that function itself,
// or what is called by it. The interface that starts its regions by a function of its own sets this
// when the library is loaded (abi/kmp/fork.cpp).
using body_finder = const void* (*)(region_function function, const void* data) noexcept;
extern constinit body_finder find_body;

// In the child of a fork.
void reset_blas_after_fork() noexcept;

}  // namespace artel::openmp
