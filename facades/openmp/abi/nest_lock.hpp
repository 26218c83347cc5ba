// Nestable locks. The owner may take the lock again. In programs of gcc the owner is the task that
// took the lock. In programs of clang it is the thread or light thread: tasks that it runs
// meanwhile own the lock, too, and so does member 0 of a region that it meets; but it is the task
// where that is untied, as it may go on on another thread. So callers pass the
// owner, a number that nobody else has while the lock is held: the task's address, or
// kmp::lock_holder().
#pragma once

#include "ompt/interface/attached.hpp"
#include "waiting/lock_word.hpp"

#include <atomic>
#include <cstdint>

namespace artel::openmp {

using lock_owner = std::uintptr_t;  // 0: nobody

// Sixteen bytes in programs of gcc, with these contents.
struct nest_lock {
    lock_word word;
    int count;
    // Others than the holder may read it, and only ever find it different from themselves.
    std::atomic<lock_owner> owner;
};
static_assert(sizeof(nest_lock) == 16);

// Takes the lock or, if that is not possible at once, returns 0; else how often `self` now holds
// it.
inline int test_nested(nest_lock& l, lock_owner self) noexcept
{
    // relaxed, both: equal only if we stored it ourselves.
    if (l.owner.load(std::memory_order_relaxed) != self) {
        if (!try_lock(l.word)) {
            return 0;
        }
        l.owner.store(self, std::memory_order_relaxed);
    }
    return ++l.count;
}

// May switch.
inline void set_nested(nest_lock& l, lock_owner self) noexcept
{
    // relaxed, both: as in test_nested.
    if (l.owner.load(std::memory_order_relaxed) != self) {
        lock(l.word);
        l.owner.store(self, std::memory_order_relaxed);
    }
    ++l.count;
}

inline void unset_nested(nest_lock& l) noexcept
{
    if (--l.count == 0) {
        l.owner.store(0, std::memory_order_relaxed);  // relaxed: as in test_nested
        unlock(l.word);
    }
}

// The same with a tool attached, which knows the lock by `place`.
void set_told(ompt::caller who, nest_lock& l, lock_owner self, const void* place) noexcept;
int test_told(ompt::caller who, nest_lock& l, lock_owner self, const void* place) noexcept;
void unset_told(ompt::caller who, nest_lock& l, const void* place) noexcept;

// In clang's programs, and in Fortran's, a lock is one word, which points to the lock proper. Ends
// the program when there is no memory.
void make_nest_lock(void** place) noexcept;
void free_nest_lock(void** place) noexcept;
inline nest_lock& nest_lock_at(void** place) noexcept
{
    return *static_cast<nest_lock*>(*place);
}

}  // namespace artel::openmp
