// Mutexes: a word with one bit each for locked, for waiters, and for a lock over their FIFO.
// Unlocking wakes the first waiter, which tries again, and is the first one again if another thread
// was faster. The write that unlocks is the last access, so the next holder may free the mutex. It
// lies in 64 bytes of the program (ABT_mutex_memory); all zero is a valid mutex, and a first int of
// 1 makes it recursive.
//
// Rejected: handing the mutex to the first waiter. A ULT that unlocks and then tries the lock in a
// loop would keep the stream from the waiter that has it.
#pragma once

#include "handles.hpp"
#include "waiters.hpp"

#include <atomic>
#include <cstdint>

namespace artel::argobots {

struct mutex {
    int recursive;
    enum bit : std::uint32_t { locked = 1, waited_for = 2, list_in_use = 4 };
    std::atomic<std::uint32_t> word;
    int depth;                       // of a recursive mutex; used by its owner only
    std::atomic<const void*> owner;  // relaxed: only the owner finds itself in it
    waiter_list waiters;

    void acquire(bool first) noexcept;
    bool try_acquire() noexcept;
    void release() noexcept;
    void acquire_spinning() noexcept;

private:
    struct asking;
    void lock_list() noexcept;
    static void settle(fiber::carrier&, fiber::fiber& previous, void* argument);
};
static_assert(sizeof(mutex) <= sizeof(ABT_mutex_memory));

}  // namespace artel::argobots
