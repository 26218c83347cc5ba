// Linux functions for processes that share memory: waiting on a word across address spaces, and not
// outliving the parent.
#pragma once

#include <atomic>
#include <cstdint>
#include <sys/types.h>

namespace artel::base::os {

// As futex_wait_for and futex_wake (futex.hpp), on a word in memory that processes share, at
// whatever address each has mapped it.
void shared_futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                           std::uint64_t microseconds) noexcept;
void shared_futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept;

// The kernel kills the calling process when `parent` ends, more exactly when the thread that forked
// it does. False if it has ended already.
bool die_with_parent(pid_t parent) noexcept;

// A descriptor that polls as readable once the process has ended; -1 where the kernel has none
// (before Linux 5.3, or forbidden). Closed on exec.
int open_process(pid_t process) noexcept;

}  // namespace artel::base::os
