// What ABT_eventual_* do: set once, until it is reset; waiters wake with it. Whoever knows that it
// is set may use its memory for something else, so whoever sets it touches nothing of it after its
// unlocking, and waiters that it lets go on are a chain of its own by then.
//
// Callers: any context that may wait. eventual_model.cpp has this file under many interleavings.
#pragma once

#include "waiters.hpp"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>

namespace artel::argobots {

// All zero is valid, in the program's own 64 bytes: unset and without a value.
struct eventual {
    base::spinlock lock;
    // Written under the lock. release: the value, for who sees it set without the lock; is_set().
    std::atomic<bool> set;
    void* value;
    int size;
    waiter_list waiters;
};

// Returns when whoever has set it is through.
inline void wait_for_setter(eventual& e) noexcept
{
    e.lock.lock();
    e.lock.unlock();
}

// Whether it is set and whoever has set it is through: the program may reuse its memory as soon as
// it knows.
inline bool is_set(eventual& e) noexcept
{
    // acquire: pairs with set().
    if (!e.set.load(std::memory_order_acquire)) {
        return false;
    }
    wait_for_setter(e);
    return true;
}

// Joins those who wait, unless it is set.
inline auto joins(eventual& e) noexcept
{
    return [&e](waiter& w) noexcept {
        if (e.set.load(std::memory_order_relaxed)) {  // relaxed: under the lock
            return false;
        }
        e.waiters.push(w);
        return true;
    };
}

inline void wait(eventual& e) noexcept
{
    if (!is_set(e)) {
        wait(e.lock, joins(e));
    }
}

// False when the time has passed.
inline bool wait_until(eventual& e, sched::moment deadline) noexcept
{
    return is_set(e) || wait_until(e.lock, e.waiters, deadline, joins(e));
}

// Gives it the value, of no more bytes than it has room for. False, and nothing is done: it is set.
inline bool set(eventual& e, const void* value, std::size_t bytes) noexcept
{
    e.lock.lock();
    if (e.set.load(std::memory_order_relaxed)) {  // relaxed: under the lock
        e.lock.unlock();
        return false;
    }
    if (bytes > 0) {
        std::memcpy(e.value, value, bytes);
    }
    waiter* const all = e.waiters.take();
    e.set.store(true, std::memory_order_release);  // release: the value
    e.lock.unlock();                               // from here on it may be gone
    wake_chain(all);
    return true;
}

inline void reset(eventual& e) noexcept
{
    const std::scoped_lock hold(e.lock);
    e.set.store(false, std::memory_order_relaxed);  // relaxed: under the lock
}

}  // namespace artel::argobots
