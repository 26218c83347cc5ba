// Linux functions that the shared-memory library needs while it communicates: futexes between
// processes, a fence that costs only sleepers, and copies between address spaces. Called from any
// thread of any rank; the caller's errno is preserved, because we run inside other code's calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace artel::shm {

// Blocks while the word, which lies in shared memory, holds `expected`; until futex_wake, a signal,
// or the time-out in microseconds.
void futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t microseconds) noexcept;

// Wakes all that wait on the word, in any process.
void futex_wake(std::atomic<std::uint32_t>& word) noexcept;

// Tells the kernel that this process takes part in heavy_fence() of others. Once per process,
// before the first message. Returns whether the kernel can do it; where it cannot, a wake-up may be
// missed and the sleeper's time-out makes up for it.
bool register_for_heavy_fence() noexcept;

// A full fence for every registered process on every CPU, at the caller's expense alone (some
// microseconds). Pairs with light_fence().
void heavy_fence() noexcept;

#if defined(ARTEL_MODEL)
void light_fence() noexcept;
#else
// The cheap half: keeps the compiler from moving memory accesses; the other side's heavy_fence()
// orders those of the processor.
inline void light_fence() noexcept
{
    // seq_cst for the compiler only; at run time it pairs with heavy_fence().
    std::atomic_signal_fence(std::memory_order_seq_cst);
}
#endif

// Copies `bytes` between this process and `pid` (process_vm_readv and process_vm_writev), in as
// many calls as the kernel needs. 0, or an errno.
int copy_from_process(pid_t pid, void* to, std::uint64_t from, std::size_t bytes) noexcept;
int copy_to_process(pid_t pid, std::uint64_t to, const void* from, std::size_t bytes) noexcept;

// The start time of a process in clock ticks after boot, which together with the number identifies
// it; 0 if there is no such process, if it has ended, or if the start time cannot be read, since
// nothing can be opened.
std::uint64_t process_start(pid_t pid) noexcept;

// Whether the process of that number that started then (0: unknown) has certainly ended. If the
// caller cannot check, because it has no descriptors left, the answer is no.
bool has_ended(pid_t pid, std::uint64_t start) noexcept;

}  // namespace artel::shm
