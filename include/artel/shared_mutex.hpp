// A lock for many readers or one writer, for light threads and OS threads: a waiter is suspended,
// and its worker does other work. Four bytes, no allocation.
#pragma once

#include <artel/detail/wait_word.hpp>

namespace artel {

// As std::shared_mutex, for std::unique_lock and std::shared_lock. While a writer waits, no reader
// can lock it, so readers that overlap do not starve writers; otherwise not fair, and not
// recursive, not even for readers. May be held across suspensions, and unlocked on another OS
// thread than locked. The last holder may destroy it.
class shared_mutex {
public:
    constexpr shared_mutex() noexcept = default;
    shared_mutex(const shared_mutex&) = delete;
    shared_mutex& operator=(const shared_mutex&) = delete;

    // Waits until the caller alone has the lock. Switches when it has to wait.
    void lock() noexcept
    {
        if (!try_lock()) {
            lock_slowly();
        }
    }
    // Never waits.
    bool try_lock() noexcept
    {
        std::uint32_t expected = 0;
        // acquire: pairs with the releases of earlier holders. relaxed on failure: nothing was
        // acquired.
        return word_.compare_exchange_strong(expected, writing, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }
    // Called by the writer. Does not switch.
    void unlock() noexcept
    {
        // release: pairs with the acquire of the next holder.
        if ((word_.exchange(0, std::memory_order_release) & (readers_wait | writers_wait)) != 0) {
            detail::wake_word(word_, detail::wake_all);
        }
    }

    // Waits until no writer has the lock or waits for it. Switches when it has to wait. At most
    // 2^29 - 1 readers at a time.
    void lock_shared() noexcept
    {
        if (!try_lock_shared()) {
            lock_shared_slowly();
        }
    }
    // Never waits.
    bool try_lock_shared() noexcept
    {
        std::uint32_t seen = word_.load(std::memory_order_relaxed);  // relaxed: the CAS decides
        while ((seen & (writing | writers_wait)) == 0) {
            // acquire: pairs with the release of the writer before. relaxed on failure: tried
            // again.
            if (word_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire,
                                            std::memory_order_relaxed)) {
                return true;
            }
        }
        return false;
    }
    // Called by a reader. Does not switch.
    void unlock_shared() noexcept
    {
        std::uint32_t seen = word_.load(std::memory_order_relaxed);  // relaxed: the CAS decides
        for (;;) {
            // The last reader clears everything in one step: afterwards the lock may be freed.
            const bool last = (seen & readers) == 1;
            // release: pairs with the acquire of the next writer. relaxed on failure: tried again.
            if (word_.compare_exchange_weak(seen, last ? 0 : seen - 1, std::memory_order_release,
                                            std::memory_order_relaxed)) {
                if (last && seen != 1) {
                    detail::wake_word(word_, detail::wake_all);
                }
                return;
            }
        }
    }

private:
    static constexpr std::uint32_t writing = 1u << 31;
    // There may be sleepers. Cleared only by the step that frees the lock, whose thread then wakes
    // all sleepers, and they try again.
    static constexpr std::uint32_t writers_wait = 1u << 30;
    static constexpr std::uint32_t readers_wait = 1u << 29;
    static constexpr std::uint32_t readers = readers_wait - 1;  // how many have it

    ARTEL_API void lock_slowly() noexcept;
    ARTEL_API void lock_shared_slowly() noexcept;

    detail::word word_{0};
};

}  // namespace artel
