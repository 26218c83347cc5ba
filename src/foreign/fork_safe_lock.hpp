// A lock over something of the whole process that a child of a fork goes on using: whoever forks
// holds it meanwhile, so that the child finds it free, and what it guards whole, whatever other
// threads were doing. Under it nothing waits, and none is taken under another. For statics only:
// they are never taken off the list. What belongs to the parent's threads (personas, say)
// is forgotten in the child instead. Rejected: to free the locks in the child.
// Half a change may lie under them, so each list would have to be forgotten, and what a program has
// registered with it.
#pragma once

#include "base/spinlock.hpp"

namespace artel::foreign {

class fork_safe_lock {
public:
    fork_safe_lock() noexcept;
    fork_safe_lock(const fork_safe_lock&) = delete;
    fork_safe_lock& operator=(const fork_safe_lock&) = delete;

    void lock() noexcept { lock_.lock(); }
    void unlock() noexcept { lock_.unlock(); }

private:
    static void take_all() noexcept;
    static void give_all_back() noexcept;
    static const int fork_handlers;

    base::spinlock lock_;
    fork_safe_lock* const next_;  // in the list of all
};

// What a static pointer points to, made by who asks first; under the lock over it. Never destroyed:
// threads outlive static destructors. No static of its own type, because constructors of other
// libraries, which have regions, may run before ours.
template <class T>
T& made(T*& at)
{
    if (at == nullptr) {
        at = new T;
    }
    return *at;
}

}  // namespace artel::foreign
