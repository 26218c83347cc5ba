// The CPU-time clock of the OS thread that carries a worker, and the thread's number, which is a
// part of it.
#pragma once

#include "sched/worker.hpp"

#include <pthread.h>

namespace artel::sched {

// Lets the monitor see how much CPU time the calling OS thread, which carries `w`, has had.
inline void note_clock(worker& w) noexcept
{
    clockid_t clock = 0;
    if (::pthread_getcpuclockid(::pthread_self(), &clock) == 0) {
        // relaxed: only a number.
        w.cpu_clock.store(clock, std::memory_order_relaxed);
    }
}

// The kernel's number of the thread whose clock that is: as Linux makes clocks of threads.
inline int thread_of_clock(int clock) noexcept
{
    return ~(clock >> 3);
}

// The kernel's number of the worker's thread; -1 while it has none that runs.
inline int thread_of(const worker& w) noexcept
{
    // relaxed: written by the thread itself, or long before.
    return thread_of_clock(w.cpu_clock.load(std::memory_order_relaxed));
}

}  // namespace artel::sched
