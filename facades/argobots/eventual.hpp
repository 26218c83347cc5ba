// An eventual is set once until it is reset, and setting it wakes all waiters. A thread that knows
// that it is set may reuse its memory. So the setter does not touch it after the unlock, and has
// moved the waiters to a chain of its own before.
//
// Callers: any context that may wait. eventual_model.cpp checks this file under many interleavings.
#pragma once

#include "waiters.hpp"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>

namespace artel::argobots {

// Lies in 64 bytes of the program; all zero is valid: unset and without a value.
struct eventual {
    sched::fork_lock lock;
    // Written under the lock. release: publishes the value to is_set(), which reads without the
    // lock.
    std::atomic<bool> set;
    void* value;
    int size;
    waiter_list waiters;
};

// Waits until the setter does not touch it any more.
inline void wait_for_setter(eventual& e) noexcept
{
    e.lock.lock();
    e.lock.unlock();
}

// Whether it is set and the setter does not touch it any more: the program may then reuse its
// memory.
inline bool is_set(eventual& e) noexcept
{
    // acquire: pairs with set().
    if (!e.set.load(std::memory_order_acquire)) {
        return false;
    }
    wait_for_setter(e);
    return true;
}

// Adds a waiter, unless it is set.
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

// Sets it, with a value of at most its size. False, and nothing is done, if it is set already.
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
    e.set.store(true, std::memory_order_release);  // release: publishes the value
    e.lock.unlock();                               // from here on it may be gone
    forget_limits(all);
    wake_chain(all);
    return true;
}

inline void reset(eventual& e) noexcept
{
    const std::scoped_lock hold(e.lock);
    e.set.store(false, std::memory_order_relaxed);  // relaxed: under the lock
}

}  // namespace artel::argobots
