// Which signals the calling thread blocks, asked so cheaply that it can be done at every yield.
#pragma once

#include <csignal>
#include <cstdint>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

namespace artel::base::os {

// Does the calling thread block just these signals? One system call: glibc's function copies the
// set about.
inline bool blocks_just(const sigset_t& signals) noexcept
{
    std::uint64_t blocked = 0;  // as long as the kernel's set
    std::uint64_t expected = 0;
    std::memcpy(&expected, &signals, sizeof expected);
    return ::syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &blocked, sizeof blocked) == 0 &&
           blocked == expected;
}

}  // namespace artel::base::os
