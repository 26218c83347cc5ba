// How many workers of the crew are idle. The library counts them; loops that run in their caller's
// code check the count.
#pragma once

#include <atomic>

namespace artel::detail {

struct free_workers {
    std::atomic<unsigned> searching{0};  // look for work, or have been woken to do so
    std::atomic<unsigned> idle{0};       // have found none

    // A guess.
    bool none() const noexcept
    {
        return searching.load(std::memory_order_relaxed) == 0 &&
               idle.load(std::memory_order_relaxed) == 0;  // relaxed (both): an estimate
    }
};

}  // namespace artel::detail
