// Waiting until a condition holds, at an address; the thread that changes the condition wakes the
// waiters at this address. The whole library waits in this way. Waiters are in lists by address. A
// light thread is suspended, any other OS thread sleeps.
//
// No wake-up is lost: a waiter counts itself, makes a full fence and checks the condition once
// more; a waker changes the condition, makes a full fence and reads the count.
#pragma once

#include "spinlock.hpp"

#include <limits>

namespace cp {

namespace waiting {
struct bucket {
    spinlock lock;
    std::atomic<unsigned> count{0};  // waiters, including those that are about to sleep
    struct waiter* first = nullptr;
    struct waiter* last = nullptr;
};
bucket& bucket_of(const void* at);
// Sleeps until woken. Called with the bucket locked; it is unlocked afterwards.
void sleep(bucket& b, const void* at);
// Whether spinning is worth while: there are enough CPUs for the threads that may be waited for.
bool may_spin();
// In the child of a fork, where the waiters do not exist.
void forget_all();
}  // namespace waiting

// Returns when done() holds. Once done() has returned true it is not called again, so it may take a
// lock. `at` is only compared, never read.
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

// Wakes up to `most` waiters at the address, first in, first out. The memory there may be freed
// already.
void wake(const void* at, unsigned most = std::numeric_limits<unsigned>::max());

}  // namespace cp
