// A counter that goes down once, and releases all waiters when it reaches zero. A waiter is
// suspended.
#pragma once

#include <artel/detail/wait_word.hpp>
#include <cstddef>
#include <limits>

namespace artel {

// As std::latch.
class latch {
public:
    static constexpr std::ptrdiff_t max() noexcept
    {
        return std::numeric_limits<std::uint32_t>::max();
    }

    // 0 <= expected <= max().
    constexpr explicit latch(std::ptrdiff_t expected) noexcept
        : left_(static_cast<std::uint32_t>(expected))
    {}
    latch(const latch&) = delete;
    latch& operator=(const latch&) = delete;

    // n must not exceed the present count. Does not switch.
    void count_down(std::ptrdiff_t n = 1) noexcept
    {
        const auto by = static_cast<std::uint32_t>(n);
        // release: pairs with the acquire in wait. acq_rel so that the last one also carries what
        // the earlier ones released.
        if (left_.fetch_sub(by, std::memory_order_acq_rel) == by && by != 0) {
            detail::wake_word(left_, detail::wake_all);  // the latch may already be freed
        }
    }

    // acquire: pairs with count_down.
    bool try_wait() const noexcept { return left_.load(std::memory_order_acquire) == 0; }

    void wait() const noexcept
    {
        for (;;) {
            // acquire: pairs with count_down.
            const std::uint32_t left = left_.load(std::memory_order_acquire);
            if (left == 0) {
                return;
            }
            if (!detail::spin_while(left_, left)) {
                detail::wait_word(left_, left);
            }
        }
    }

    void arrive_and_wait(std::ptrdiff_t n = 1) noexcept
    {
        count_down(n);
        wait();
    }

private:
    mutable detail::word left_;
};

}  // namespace artel
