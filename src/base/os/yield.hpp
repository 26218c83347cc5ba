// Gives the CPU away. By the system call itself, because sched_yield is a name that our drop-in
// takes over for members of teams (facades/openmp/abi/omp/interposed.cpp), whereas the runtime's
// own waits mean the OS thread.
#pragma once

#include "base/cpu.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace artel::base::os {

inline void yield() noexcept
{
#if defined(ARTEL_MODEL)
    ::sched_yield();
#else
    ::syscall(SYS_sched_yield);
#endif
}

}  // namespace artel::base::os
