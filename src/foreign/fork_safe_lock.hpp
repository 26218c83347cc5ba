// A lock for data of the whole process that the child of a fork continues using. The thread that
// forks holds all of these locks during the fork, so the child finds them free and the data
// complete, whatever other threads were doing. While one is held nothing waits, and no other of
// them is taken. For statics only: a lock is never taken off the list of those that a fork takes.
// Data that belongs to the parent's threads, such as personas, is forgotten in the child instead.
//
// Rejected: to free the locks in the child. Their data may be half changed at the fork, so the
// child would have to forget all of it, with everything that the program has registered there.
#pragma once

#include "base/spinlock.hpp"

namespace artel::foreign {

class fork_safe_lock {
public:
    fork_safe_lock() noexcept;
    fork_safe_lock(const fork_safe_lock&) = delete;
    fork_safe_lock& operator=(const fork_safe_lock&) = delete;

    void lock() noexcept { lock_.lock(); }
    bool try_lock() noexcept { return lock_.try_lock(); }
    void unlock() noexcept { lock_.unlock(); }

private:
    static void take_all() noexcept;
    static void give_all_back() noexcept;
    static const int fork_handlers;

    base::spinlock lock_;
    fork_safe_lock* next_;  // in the list of all; constant once it is there
};

// The object behind a static pointer, made by the first caller; under the lock that guards it.
// Never destroyed: threads outlive static destructors. Not a static of its own type, because
// constructors of other libraries, which may have regions, can run before ours.
template <class T>
T& made(T*& at)
{
    if (at == nullptr) {
        at = new T;
    }
    return *at;
}

}  // namespace artel::foreign
