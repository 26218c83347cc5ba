// The CPU-time clocks of threads.
#pragma once

#include "base/os/keep_errno.hpp"

#include <cstdint>
#include <ctime>

namespace artel::base::os {

// The clock's time in nanoseconds; 0 when there is no such clock. For the CPU time of another
// thread it takes a system call of some 0.5 us.
inline std::uint64_t read_clock(clockid_t clock) noexcept
{
    const keep_errno guard;
    timespec now{};
    if (::clock_gettime(clock, &now) != 0) {
        return 0;
    }
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace artel::base::os
