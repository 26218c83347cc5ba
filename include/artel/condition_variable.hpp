// A condition variable for light threads and OS threads: who waits is suspended, and its worker does other work.
#pragma once

#include <artel/detail/wait_word.hpp>
#include <utility>

namespace artel {

// As std::condition_variable_any without timed waits: works with any lock type. Wakes may happen without cause, so wait for a predicate.
class condition_variable {
public:
    constexpr condition_variable() noexcept = default;
    condition_variable(const condition_variable&) = delete;
    condition_variable& operator=(const condition_variable&) = delete;

    // Unlocks, suspends the caller until notified, locks again.
    template <class Lock>
    void wait(Lock& lock)
    {
        // relaxed: read under the caller's lock, before which a notification does not concern us.
        const std::uint32_t before = notifications_.load(std::memory_order_relaxed);
        lock.unlock();
        detail::wait_word(notifications_, before);
        lock.lock();
    }

    template <class Lock, class Predicate>
    void wait(Lock& lock, Predicate satisfied)
    {
        while (!satisfied()) {
            wait(lock);
        }
    }

    // With or without the lock held. Do not switch.
    void notify_one() noexcept { notify(1); }
    void notify_all() noexcept { notify(detail::wake_all); }

private:
    void notify(unsigned count) noexcept
    {
        // release: pairs with the acquire in wait_word. A waiter that has read the old number but does not sleep yet will not fall asleep.
        notifications_.fetch_add(1, std::memory_order_release);
        detail::wake_word(notifications_, count);
    }

    detail::word notifications_{0};
};

}  // namespace artel
