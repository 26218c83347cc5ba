// Mutual exclusion with a tool attached. A lock is identified by its address. acquire is told
// before the wait, acquired after it, released after the release.
#pragma once

#include "ompt/interface/abi.hpp"
#include "ompt/interface/attached.hpp"
#include "waiting/lock_word.hpp"

namespace artel::openmp::ompt {

inline wait_id id_of(const volatile void* place) noexcept
{
    return reinterpret_cast<wait_id>(place);
}

void tell_acquire(caller who, mutex_kind kind, wait_id id) noexcept;
void tell_acquired(caller who, mutex_kind kind, wait_id id) noexcept;
void tell_released(caller who, mutex_kind kind, wait_id id) noexcept;
void tell_lock_made(caller who, mutex_kind kind, const void* place) noexcept;
void tell_lock_gone(caller who, mutex_kind kind, const void* place) noexcept;

// lock(), try_lock() and unlock() for a lock, a critical section or an atomic construct.
void tell_lock(caller who, mutex_kind kind, lock_word& word) noexcept;
bool tell_try_lock(caller who, lock_word& word) noexcept;
void tell_unlock(caller who, mutex_kind kind, lock_word& word) noexcept;

// Nestable locks: `depth` is how often the caller then holds the lock, 0 if it did not get it.
void tell_nested_got(caller who, mutex_kind kind, wait_id id, int depth) noexcept;
void tell_nested_left(caller who, wait_id id, int depth) noexcept;

// The calling member waits for its turn in an ordered region; it has left the region.
void tell_ordered(caller who);
void tell_ordered_end(caller who);

}  // namespace artel::openmp::ompt
