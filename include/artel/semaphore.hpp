// Counting semaphores for light threads and OS threads: a waiter is suspended, and its worker does
// other work.
#pragma once

#include <artel/detail/deadline.hpp>
#include <artel/detail/wait_word.hpp>
#include <cstddef>

namespace artel {

// As std::counting_semaphore. Not fair: the first caller gets a permit.
template <std::ptrdiff_t Most = INT_MAX>
class counting_semaphore {
    static_assert(Most >= 0 && Most <= INT_MAX);

public:
    static constexpr std::ptrdiff_t max() noexcept { return Most; }

    // 0 <= permits <= max().
    constexpr explicit counting_semaphore(std::ptrdiff_t permits) noexcept
        : permits_(static_cast<std::uint32_t>(permits))
    {}
    counting_semaphore(const counting_semaphore&) = delete;
    counting_semaphore& operator=(const counting_semaphore&) = delete;

    // Permits must stay <= max(). Does not switch.
    void release(std::ptrdiff_t n = 1) noexcept
    {
        // release: pairs with the acquire of those that take the permits.
        permits_.fetch_add(static_cast<std::uint32_t>(n), std::memory_order_release);
        detail::wake_word(permits_, static_cast<unsigned>(n));
    }

    // Takes one permit; suspends the caller while there is none.
    void acquire() noexcept
    {
        while (!try_acquire()) {
            if (!detail::spin_while(permits_, 0)) {
                detail::wait_word(permits_, 0);
            }
        }
    }

    // As acquire, but gives up at `when`. Whether a permit was taken.
    template <class Clock, class Duration>
    bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& when)
    {
        while (!try_acquire()) {
            if (!detail::spin_while(permits_, 0) && !detail::wait_until(permits_, 0, when)) {
                return try_acquire();
            }
        }
        return true;
    }

    template <class Rep, class Period>
    bool try_acquire_for(const std::chrono::duration<Rep, Period>& time)
    {
        return try_acquire_until(detail::time_after(time));
    }

    // Never waits.
    bool try_acquire() noexcept
    {
        // relaxed: the CAS decides.
        std::uint32_t permits = permits_.load(std::memory_order_relaxed);
        while (permits != 0) {
            // acquire: pairs with release(). relaxed on failure: tried again.
            if (permits_.compare_exchange_weak(permits, permits - 1, std::memory_order_acquire,
                                               std::memory_order_relaxed)) {
                return true;
            }
        }
        return false;
    }

private:
    detail::word permits_;
};

using binary_semaphore = counting_semaphore<1>;

}  // namespace artel
