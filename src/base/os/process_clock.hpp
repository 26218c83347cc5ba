// The CPU-time clock of the process.
#pragma once

#include <cstdint>
#include <ctime>

namespace artel::base::os {

// CPU time of all threads of the process together, in nanoseconds. A system call of some 0.5 us; it
// cannot fail, so errno is unchanged.
inline std::uint64_t process_time() noexcept
{
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace artel::base::os
