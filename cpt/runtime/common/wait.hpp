// The one way in which anything here waits: until a condition holds, at an address that those who
// change the condition name when they wake. Waiters lie in lists by address; a light thread is
// suspended, an OS thread that is none sleeps.
//
// Nobody is missed: who waits counts itself, makes a full fence and looks at the condition once
// more; who wakes has changed the condition before it makes a full fence and looks at the count.
#pragma once

#include "spinlock.hpp"

#include <limits>

namespace cp {

namespace waiting {
struct bucket {
    spinlock lock;
    std::atomic<unsigned> count{0};  // of waiters, and of those about to become one
    struct waiter* first = nullptr;
    struct waiter* last = nullptr;
};
bucket& bucket_of(const void* at);
// Sleeps until woken; the bucket is locked before and not afterwards.
void sleep(bucket& b, const void* at);
// Is there a CPU for whoever is waited for, so that spinning for a moment may be worth it?
bool may_spin();
// In the child of a fork, where none of those who waited is left.
void forget_all();
}  // namespace waiting

// Returns when done() holds. It is not asked again once it has been true: it may take a lock. `at`
// is only compared, never read.
template <class Condition>
void wait_until(const void* at, const Condition& done)
{
    for (unsigned i = waiting::may_spin() ? 1000 : 0; i > 0; --i) {
        if (done()) {
            return;
        }
        __builtin_ia32_pause();
    }
    while (!done()) {
        waiting::bucket& b = waiting::bucket_of(at);
        b.lock.lock();
        b.count.fetch_add(1, std::memory_order_relaxed);      // relaxed: the fence orders it
        std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with that in wake
        if (done()) {
            b.count.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a waiter too many is
                                                              // harmless
            b.lock.unlock();
            return;
        }
        waiting::sleep(b, at);
    }
}

// Wakes those who wait at an address, the longest waiting first. The address's memory may be gone.
void wake(const void* at, unsigned most = std::numeric_limits<unsigned>::max());

}  // namespace cp
