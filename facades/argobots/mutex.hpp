// Mutexes: a word that says whether it is locked and whether somebody waits, and a FIFO of waiters.
// Whoever unlocks gives the mutex to the first waiter, who need not ask again. All zero is a valid
// mutex, in 64 bytes that programs keep themselves (ABT_mutex_memory); a first int of 1 makes it
// recursive.
#pragma once

#include "handles.hpp"
#include "waiters.hpp"

#include <atomic>
#include <cstdint>

namespace artel::argobots {

struct mutex {
    int recursive;
    base::spinlock lock;
    enum state : std::uint32_t { open, locked, waited_for };
    std::atomic<std::uint32_t> word;
    int depth;                         // of a recursive one: its owner's
    std::atomic<const void*> owner;    // relaxed: only its owner finds itself there
    waiter_list waiters;

    void acquire(bool first) noexcept;
    bool try_acquire() noexcept;
    void release() noexcept;
    void acquire_spinning() noexcept;
};
static_assert(sizeof(mutex) <= sizeof(ABT_mutex_memory));

}  // namespace artel::argobots
