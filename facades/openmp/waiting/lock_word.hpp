// A mutual-exclusion lock in four bytes: 0 free, 1 held, 2 held, perhaps with waiters. omp_lock_t,
// critical sections (in place, in the variable that the compiler makes for their name) and the lock
// of GOMP_atomic_start are such words. Zeroed memory is a free lock. A waiter suspends its light
// thread, never its worker. Not recursive. Not fair.
#pragma once

#include "sched/wait_word.hpp"
#include "spin.hpp"

#include <atomic>
#include <cstdint>

namespace artel::openmp {

using lock_word = std::atomic<std::uint32_t>;
static_assert(base::modelled || sizeof(lock_word) == 4);

inline bool try_lock(lock_word& word) noexcept
{
    std::uint32_t expected = 0;
    // acquire: pairs with the release in unlock(). relaxed on failure: nothing was acquired.
    return word.compare_exchange_strong(expected, 1, std::memory_order_acquire,
                                        std::memory_order_relaxed);
}

// The contended half of lock(). May switch.
void lock_slow(lock_word& word) noexcept;

inline void lock(lock_word& word) noexcept
{
    if (!try_lock(word)) {
        lock_slow(word);
    }
}

inline void unlock(lock_word& word) noexcept
{
    // release: publishes the section to the next holder's acquire. A waiter has set 2 before it
    // sleeps, or finds the word changed.
    if (word.exchange(0, std::memory_order_release) == 2) {
        sched::wake_word(word, 1);
    }
}

// The lock at `place`, in memory that the program or the compiler provided and zeroed or
// initialised.
inline lock_word& lock_at(void* place) noexcept
{
    return *static_cast<lock_word*>(place);
}

}  // namespace artel::openmp
