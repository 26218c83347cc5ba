// Gives the CPU away, by a direct system call: the drop-in interposes sched_yield for members of
// teams (src/foreign/interposed/yield.cpp), but the runtime's own waits mean the OS thread.
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
