// A mutex for light threads and OS threads: a waiter is suspended, and its worker does other work.
// Four bytes, no allocation.
#pragma once

#include <artel/detail/wait_word.hpp>

namespace artel {

// As std::mutex, for std::unique_lock, std::scoped_lock and artel::condition_variable. Not
// recursive, not fair: the first caller gets an unlocked mutex; waiters are woken in their order.
// May be held across suspensions, and unlocked on another OS thread than locked.
class mutex {
public:
    constexpr mutex() noexcept = default;
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;

    // Waits until the caller has the mutex. Switches when it has to wait.
    void lock() noexcept
    {
        if (!try_lock()) {
            lock_slowly();
        }
    }

    // Never waits.
    bool try_lock() noexcept
    {
        std::uint32_t expected = unlocked;
        // acquire: pairs with the release in unlock(). relaxed on failure: nothing was acquired.
        return word_.compare_exchange_strong(expected, locked, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }

    // Called by the holder. Does not switch.
    void unlock() noexcept
    {
        // release: pairs with the acquire of the next lock.
        if (word_.exchange(unlocked, std::memory_order_release) == contended) {
            detail::wake_word(word_, 1);
        }
    }

private:
    static constexpr std::uint32_t unlocked = 0;
    static constexpr std::uint32_t locked = 1;
    static constexpr std::uint32_t contended = 2;  // locked, and there may be waiters

    ARTEL_API void lock_slowly() noexcept;

    detail::word word_{unlocked};
};

}  // namespace artel
