// What callers.cpp, which counts who is inside, told.cpp, which tells the libraries how many
// threads they have, and watch.cpp, which looks again, know of each other.
#pragma once

#include "base/cpu.hpp"
#include "base/spinlock.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace artel::openblas {

// For so long one who is alone counts as several, after several were inside; and so often it is
// looked at again what has become of that.
constexpr std::uint64_t calm_us = 10000;

// Who is inside.
struct alignas(base::cache_line) callers_inside {
    std::atomic<unsigned> inside{0};
    std::atomic<unsigned> inside_crew{0};  // of those, who are busy as far as the crew knows
    // Everybody is told as much as there can be. Written under the lock.
    std::atomic<bool> at_rest{true};
};
[[gnu::visibility("hidden")]] extern constinit callers_inside state;

// The smallest limit that a thread of those inside has of its own.
unsigned smallest_limit() noexcept;

// Under it are the libraries, and what they are told. Held for some writes.
[[gnu::visibility("hidden")]] extern constinit base::spinlock telling;
// Held by who changes a limit, which may take as long as starting threads.
[[gnu::visibility("hidden")]] extern constinit std::mutex setting;

// All under `telling`. Tells each library what a call that begins now may use.
void tell_all() noexcept;
// Several were inside a moment ago; or that is not so any more.
void note_overlap() noexcept;
void forget_overlap() noexcept;
// The thread that looks again: wakes or starts it; in the child of a fork there is none.
void wake_watch() noexcept;
void forget_watch() noexcept;

}  // namespace artel::openblas
