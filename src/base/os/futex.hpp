// Linux futex, process-private. May block the calling OS thread; safe from any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::base::os {

// Blocks while *word == expected, until futex_wake or a signal. Spurious returns happen: callers
// loop.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

// As futex_wait, but returns after at most `microseconds`.
void futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t microseconds) noexcept;

// Wakes up to `count` threads blocked on the word.
void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept;

// Values of the word of a parked OS thread.
enum park_state : std::uint32_t {
    parked = 1,
    awaited = 2,    // not parked yet, and another thread sleeps on the word until it is
    dismissed = 3,  // to continue
};

// Sets the word to `parked` (release), wakes the sleeper if it was `awaited`, and blocks the
// calling OS thread until another one sets the word to `dismissed` and wakes it; everything that
// that thread did before is visible afterwards. Meanwhile other OS threads may use the caller's
// thread-local storage, so nothing here touches it: not errno, not the stack protector, not a
// sanitizer's state.
void announce_and_park(std::atomic<std::uint32_t>& word) noexcept;

}  // namespace artel::base::os
