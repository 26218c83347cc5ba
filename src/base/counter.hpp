// A number with one writer, which others may read at any time.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::base {

class counter {
public:
    // By the owner.
    void add(std::uint64_t n = 1) noexcept
    {
        // relaxed (both): one writer, and readers need only the number. No locked operation.
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    // relaxed: see above.
    std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

}  // namespace artel::base
