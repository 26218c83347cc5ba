// A condition variable for light threads and OS threads: a waiter is suspended, and its worker does
// other work.
#pragma once

#include <artel/detail/deadline.hpp>
#include <artel/detail/wait_word.hpp>
#include <condition_variable>
#include <utility>

namespace artel {

// As std::condition_variable_any: works with any lock type. Wake-ups may be spurious, so wait for a
// predicate.
class condition_variable {
public:
    constexpr condition_variable() noexcept = default;
    // All waiters must have been notified, but need not have returned from wait: blocks until they
    // no longer use the object.
    ~condition_variable()
    {
        // acquire (all): pairs with leave(): afterwards no waiter uses the object.
        std::uint32_t inside = inside_.load(std::memory_order_acquire);
        if (inside == 0) {
            return;
        }
        inside = inside_.fetch_or(ends, std::memory_order_acquire) | ends;
        while (inside != ends) {
            detail::wait_word(inside_, inside);
            inside = inside_.load(std::memory_order_acquire);
        }
    }
    condition_variable(const condition_variable&) = delete;
    condition_variable& operator=(const condition_variable&) = delete;

    // Unlocks, suspends the caller until notified, locks again.
    template <class Lock>
    void wait(Lock& lock)
    {
        const std::uint32_t before = enter(lock);
        detail::wait_word(notifications_, before);
        leave();
        lock.lock();
    }

    template <class Lock, class Predicate>
    void wait(Lock& lock, Predicate satisfied)
    {
        while (!satisfied()) {
            wait(lock);
        }
    }

    // As wait, but no longer than until `when`. std::cv_status::timeout: the caller was not
    // notified in time.
    template <class Lock, class Clock, class Duration>
    std::cv_status wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& when)
    {
        const std::uint32_t before = enter(lock);
        const bool in_time = detail::wait_until(notifications_, before, when);
        leave();
        lock.lock();
        return in_time ? std::cv_status::no_timeout : std::cv_status::timeout;
    }

    // Returns the last result of the predicate.
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
    static constexpr std::uint32_t ends = 1u << 31;

    // Counts the caller under its lock, without which others could not know that all waiters have
    // been notified, and unlocks. May throw what the unlocking throws.
    template <class Lock>
    std::uint32_t enter(Lock& lock)
    {
        inside_.fetch_add(1, std::memory_order_relaxed);  // relaxed: published by the lock
        // relaxed: a notification from before the caller had the lock does not concern us.
        const std::uint32_t before = notifications_.load(std::memory_order_relaxed);
        leave_if_thrown guard{this};
        lock.unlock();
        guard.waits = nullptr;
        return before;
    }
    struct leave_if_thrown {
        condition_variable* waits;
        ~leave_if_thrown()
        {
            if (waits != nullptr) {
                waits->leave();
            }
        }
    };
    // The object may be gone afterwards.
    void leave() noexcept
    {
        // release: pairs with the destructor. The last waiter that it waits for wakes it; wake_word
        // uses the address only.
        if (inside_.fetch_sub(1, std::memory_order_release) == ends + 1) {
            detail::wake_word(inside_, 1);
        }
    }
    void notify(unsigned count) noexcept
    {
        // release: pairs with the acquire in wait_word. A waiter that has read the old number but
        // does not sleep yet will not fall asleep.
        notifications_.fetch_add(1, std::memory_order_release);
        detail::wake_word(notifications_, count);
    }

    detail::word notifications_{0};
    detail::word inside_{0};  // waiters between enter() and leave(), and `ends`: the destructor
                              // waits for them
};

}  // namespace artel
