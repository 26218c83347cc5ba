// See base/os/process.hpp.
#include "base/os/process.hpp"

#include "base/os/keep_errno.hpp"

#include <csignal>
#include <ctime>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace artel::base::os {

void shared_futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                           std::uint64_t microseconds) noexcept
{
    const keep_errno guard;
    timespec timeout{};
    timeout.tv_sec = static_cast<time_t>(microseconds / 1000000);
    timeout.tv_nsec = static_cast<long>(microseconds % 1000000) * 1000;
    ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, &timeout, nullptr, 0);
}

void shared_futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept
{
    const keep_errno guard;
    ::syscall(SYS_futex, &word, FUTEX_WAKE, count, nullptr, nullptr, 0);
}

bool die_with_parent(pid_t parent) noexcept
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return ::getppid() == parent;
}

int open_process(pid_t process) noexcept
{
    return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
}

}  // namespace artel::base::os
