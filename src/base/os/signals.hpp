// Sets of signals as the kernel has them, and signals for one kernel thread. Bare system calls:
// they may be made in signal handlers, and between two halves of a switch of light threads. None of
// them touches errno unless the kernel refuses what it is asked for.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace artel::base::os {

// Bit n-1 stands for signal n.
using signal_set = std::uint64_t;

inline constexpr int highest_signal = 64;

constexpr signal_set set_of(int signal) noexcept
{
    return signal_set{1} << (signal - 1);
}

// What the C library's functions leave out of every set that a program gives them: what cannot be
// blocked, and the library's own two.
inline constexpr signal_set never_blocked = set_of(SIGKILL) | set_of(SIGSTOP) | set_of(32) |
                                            set_of(33);

inline signal_set set_of(const sigset_t& signals) noexcept
{
    signal_set set = 0;
    std::memcpy(&set, &signals, sizeof set);
    return set;
}

inline void copy_to(sigset_t& signals, signal_set set) noexcept
{
    sigemptyset(&signals);
    std::memcpy(&signals, &set, sizeof set);
}

// As sigprocmask for the calling kernel thread: returns what it blocked before.
signal_set change_blocked(int how, signal_set set) noexcept;
signal_set blocked_now() noexcept;

// Blocks all but the C library's own; returns what was blocked before. For the runtime's own
// threads, which begin with the mask of their maker. Not the C library's functions, which the
// drop-in stands before: it would take the mask for the program's.
inline signal_set block_all() noexcept
{
    return change_blocked(SIG_SETMASK, ~never_blocked);
}

int this_kernel_thread() noexcept;

// Sends a signal to a kernel thread of this process, as if by pthread_kill, or with `queued` by
// pthread_sigqueue.
void send_to_thread(int thread, int signal, bool queued, std::uintptr_t value) noexcept;

// Takes a signal that the calling kernel thread blocks and that has come; false when it has not.
// Not the C library's function, which the drop-in stands before.
bool take_from_this_thread(int signal) noexcept;

// What all running threads of the process have stored so far is seen by the caller, and what it has
// stored is seen by what they do next. False where the kernel does not offer that.
bool fence_on_all_threads() noexcept;

// The other half: between what a running thread stores for such a caller and what it then reads of
// it. Costs nothing.
#if defined(ARTEL_MODEL)
void fence_by_others() noexcept;
#else
inline void fence_by_others() noexcept
{
    // seq_cst for the compiler only; the processor's half is made by fence_on_all_threads().
    std::atomic_signal_fence(std::memory_order_seq_cst);
}
#endif

}  // namespace artel::base::os
