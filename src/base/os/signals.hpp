// The kernel's signal sets, and signals for one kernel thread. Direct system calls: they may be
// made in signal handlers, and between the two halves of a switch of light threads. None of them
// changes errno unless the kernel returns an error.
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

// The signals that the C library's functions remove from every set of a program: those that cannot
// be blocked, and the library's own two.
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

// Blocks all signals but the C library's own; returns the previous mask. For the runtime's own
// threads, which inherit the mask of the thread that makes them. Not by the C library's function,
// which the drop-in interposes: it would take the mask for the program's.
inline signal_set block_all() noexcept
{
    return change_blocked(SIG_SETMASK, ~never_blocked);
}

int this_kernel_thread() noexcept;

// Sends the calling kernel thread a signal that it was sent before, as it came. In signal handlers.
void send_again(siginfo_t& info) noexcept;

// Sends a signal to a kernel thread of this process, as if by pthread_kill, or with `queued` by
// pthread_sigqueue.
void send_to_thread(int thread, int signal, bool queued, std::uintptr_t value) noexcept;

// The signals that are pending for the calling kernel thread alone, not for the process. A few
// system calls: it reads /proc; without that there are none.
signal_set pending_for_this_thread() noexcept;

// Takes one of those, which the thread blocks; false if it is not pending. Not by the C library's
// function, which the drop-in interposes.
bool take_from_this_thread(int signal) noexcept;

// A fence on all running threads of the process: the caller sees their earlier stores, and they see
// the caller's. False where the kernel does not offer that.
bool fence_on_all_threads() noexcept;

// Tells the kernel that fence_on_all_threads() will be called, so that the first call takes some
// microseconds. Does nothing where the process has several threads, because then it would take 10
// ms and more. Returns whether such fences will work.
bool prepare_fence_on_all_threads() noexcept;

// The other half: between a running thread's store for such a caller and its following load. Costs
// nothing.
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
