// A condition variable for light threads and OS threads: who waits is suspended, and its worker
// does other work.
#pragma once

#include <artel/detail/deadline.hpp>
#include <artel/detail/wait_word.hpp>
#include <condition_variable>
#include <utility>

namespace artel {

// As std::condition_variable_any: works with any lock type. Wakes may happen without cause, so wait
// for a predicate.
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

    // As wait, but no longer than until `when`. std::cv_status::timeout: nobody notified the caller
    // in time.
    template <class Lock, class Clock, class Duration>
    std::cv_status wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& when)
    {
        // relaxed: as in wait.
        const std::uint32_t before = notifications_.load(std::memory_order_relaxed);
        lock.unlock();
        const bool in_time = detail::wait_until(notifications_, before, when);
        lock.lock();
        return in_time ? std::cv_status::no_timeout : std::cv_status::timeout;
    }

    // Returns what the predicate says in the end.
    template <class Lock, class Clock, class Duration, class Predicate>
    bool wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& when,
                    Predicate satisfied)
    {
        while (!satisfied()) {
            if (wait_until(lock, when) == std::cv_status::timeout) {
                return satisfied();
            }
        }
        return true;
    }

    template <class Lock, class Rep, class Period>
    std::cv_status wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& time)
    {
        return wait_until(lock, detail::time_after(time));
    }

    template <class Lock, class Rep, class Period, class Predicate>
    bool wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& time, Predicate satisfied)
    {
        return wait_until(lock, detail::time_after(time), std::move(satisfied));
    }

    // With or without the lock held. Do not switch.
    void notify_one() noexcept { notify(1); }
    void notify_all() noexcept { notify(detail::wake_all); }

private:
    void notify(unsigned count) noexcept
    {
        // release: pairs with the acquire in wait_word. A waiter that has read the old number but
        // does not sleep yet will not fall asleep.
        notifications_.fetch_add(1, std::memory_order_release);
        detail::wake_word(notifications_, count);
    }

    detail::word notifications_{0};
};

}  // namespace artel
