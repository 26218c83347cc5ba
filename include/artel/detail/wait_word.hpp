// The futex for light threads, on which the public synchronisation classes are built. Contract and
// argument: src/sched/wait_word.hpp.
#pragma once

#include <artel/export.hpp>
#include <atomic>
#include <climits>
#include <cstdint>

namespace artel::detail {

using word = std::atomic<std::uint32_t>;

// Suspends the caller while w == expected; may return spuriously. False: it had another value at
// the call.
ARTEL_API bool wait_word(word& w, std::uint32_t expected) noexcept;

// Makes up to `count` waiters ready, after the caller has changed the word. Uses only the word's
// address.
ARTEL_API void wake_word(word& w, unsigned count) noexcept;

inline constexpr unsigned wake_all = INT_MAX;

// Spins briefly until the word differs from `value`. A few hundred nanoseconds; gives up at once
// when its worker has other work, or when there are more workers than CPUs. Returns whether the
// word has changed.
ARTEL_API bool spin_while(const word& w, std::uint32_t value) noexcept;

}  // namespace artel::detail
