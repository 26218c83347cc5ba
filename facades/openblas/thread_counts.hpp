// State that callers.cpp (counts active calls), thread_counts.cpp (sets the libraries' numbers of
// threads) and watch.cpp (updates them later) share.
#pragma once

#include "base/cpu.hpp"
#include "base/spinlock.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace artel::openblas {

// After several calls were active, a single one counts as several for this long; this is also the
// interval of the later updates.
constexpr std::uint64_t calm_us = 10000;

// The threads that are inside.
struct alignas(base::cache_line) callers_inside {
    std::atomic<unsigned> inside{0};
    std::atomic<unsigned> inside_crew{0};  // of those, callers that the crew counts as busy
    // All libraries have their largest number. Written under the lock.
    std::atomic<bool> at_rest{true};
};
[[gnu::visibility("hidden")]] extern constinit callers_inside state;

// The smallest of the own limits of threads with active calls; UINT_MAX: none has one.
unsigned smallest_limit() noexcept;

// Guards the libraries and their numbers. Held for some writes.
[[gnu::visibility("hidden")]] extern constinit base::spinlock counts_lock;
// Held while a limit is changed, which may take as long as starting threads.
[[gnu::visibility("hidden")]] extern constinit std::mutex setting;

// All under `counts_lock`. Sets each library's number for calls that begin now.
void set_thread_counts() noexcept;
// Several calls were active just now; and the opposite.
void note_overlap() noexcept;
void forget_overlap() noexcept;
// The thread for later updates: wakes or starts it; in the child of a fork there is none.
void wake_watch() noexcept;
void forget_watch() noexcept;

}  // namespace artel::openblas
