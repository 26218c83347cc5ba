// Processor-level helpers: cache-line size, the spin hint, the full fence and a cycle counter.
// Header only, no state. In the models (x_model.cpp) base/machine_model.hpp has these functions for
// the simulated processor.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::base {

// Data written by different workers are kept this far apart: adjacent-line prefetchers pull 64-byte
// lines in pairs.
inline constexpr std::size_t cache_line = 128;

// Whether this is compiled into a model: then sizes and limits are small, so that they are reached
// in few steps.
#if defined(ARTEL_MODEL)
inline constexpr bool modelled = true;
#else
inline constexpr bool modelled = false;

// Tells the core that this is a spin loop (x86 pause: 25 ns on Zen 4, up to 140 cycles on Intel;
// isb on Arm).
inline void cpu_relax() noexcept
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

// Fetches a cache line for writing, without waiting: one transfer instead of a read and an upgrade
// later.
inline void prefetch_for_writing(const void* address) noexcept
{
#if defined(__x86_64__)
    // gcc's builtin would drop "for writing" on baseline x86-64; every 64-bit CPU knows the
    // instruction or ignores it.
    asm volatile("prefetchw %0" ::"m"(*static_cast<const char*>(address)));
#else
    __builtin_prefetch(address, 1);
#endif
}

// Sequentially consistent fence. On x86 a locked read-modify-write of the stack is the cheapest one
// (2 ns on Zen 4); clang emits mfence for atomic_thread_fence, which is several times slower, and
// TSan does not model fences at all, so that under TSan the callers' atomics carry the order (see
// sched/deque.hpp).
inline void full_fence() noexcept
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    asm volatile("lock orl $0, -8(%%rsp)" ::: "memory", "cc");
#elif !defined(__SANITIZE_THREAD__)
    // Pairs with the other full_fence() of the store-buffering (Dekker) pattern that each caller
    // names.
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

// full_fence() after an atomic read-modify-write of the caller's, which on x86 is one already.
inline void full_fence_after_exchange() noexcept
{
#if !defined(__x86_64__)
    full_fence();  // an exchange alone does not order what follows against it there
#else
    // seq_cst for the compiler only.
    std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

// Free-running counter for short durations (not serialising; 10 ns on Zen 4).
inline std::uint64_t cycles() noexcept
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    std::uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#endif
}

#endif  // ARTEL_MODEL

// The least difference of two consecutive calls of cycles(), measured at the first call over about
// 1 us; to be subtracted from measurements of short things. Where the counter is virtual it can be
// 100 cycles. Any thread.
std::uint64_t cycles_of_clock() noexcept;

// Cycles of cycles() in a microsecond, measured at the first call over the time since the library
// was loaded; waits until that is at least 100 us. Any thread.
std::uint64_t cycles_per_microsecond() noexcept;

}  // namespace artel::base
