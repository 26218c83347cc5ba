// What the kernel says of another thread of this process: how much CPU time it has had, whether it runs or sleeps, and where.
#pragma once

#include <cstdint>
#include <ctime>

namespace artel::base::os {

// What a clock shows, in nanoseconds; 0 when there is no such clock (any more). A system call of some 0.5 us for the CPU-time clock of another thread.
std::uint64_t read_clock(clockid_t clock) noexcept;

// The kernel's number of the thread whose CPU-time clock this is (pthread_getcpuclockid): how Linux makes these clocks.
inline int thread_of_clock(clockid_t clock) noexcept
{
    return ~(clock >> 3);
}

struct thread_state {
    char code = '?';  // as in proc(5): R runs or would run if it had a CPU, S and D sleep, ...
    int cpu = -1;     // that it runs on, or last did

    bool sleeps() const noexcept { return code == 'S' || code == 'D'; }
    bool wants_cpu() const noexcept { return code == 'R'; }
};

// Of a thread of this process, by the kernel's number. Code '?' when that is not to be had. Some 10 us; opens a file for as long. Any thread.
thread_state read_thread_state(int thread) noexcept;

}  // namespace artel::base::os
