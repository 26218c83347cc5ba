// The slow paths of artel::shared_mutex. A waiter sets its bit in the word before it falls asleep,
// and the word can become 0 only in a step that wakes all; so no waiter sleeps for ever. Waking all
// is a race for the lock, which the readers ahead of a returning writer may win; no further reader
// can, as that writer's bit is set again.
#include <artel/shared_mutex.hpp>

namespace artel {

void shared_mutex::lock_slowly() noexcept
{
    for (;;) {
        std::uint32_t seen = word_.load(std::memory_order_relaxed);  // relaxed: a hint
        if (seen == 0 || (seen == writing && detail::spin_while(word_, seen))) {
            if (try_lock()) {
                return;
            }
            continue;
        }
        // relaxed (two): nothing is acquired.
        if ((seen & writers_wait) != 0 ||
            word_.compare_exchange_strong(seen, seen | writers_wait, std::memory_order_relaxed,
                                          std::memory_order_relaxed)) {
            detail::wait_word(word_, seen | writers_wait);
        }
    }
}

void shared_mutex::lock_shared_slowly() noexcept
{
    while (!try_lock_shared()) {
        std::uint32_t seen = word_.load(std::memory_order_relaxed);  // relaxed: a hint
        if ((seen & (writing | writers_wait)) == 0 ||
            (seen == writing && detail::spin_while(word_, seen))) {
            continue;
        }
        // relaxed (two): nothing is acquired.
        if ((seen & readers_wait) != 0 ||
            word_.compare_exchange_strong(seen, seen | readers_wait, std::memory_order_relaxed,
                                          std::memory_order_relaxed)) {
            detail::wait_word(word_, seen | readers_wait);
        }
    }
}

}  // namespace artel
