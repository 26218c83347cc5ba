// The variants for an attached tool, which tell it of each step; and the locks that clang's
// programs keep behind a pointer, which are made on the heap.
#include "nest_lock.hpp"

#include "linking/messages.hpp"
#include "ompt/entries/mutex.hpp"
#include "ompt/interface/thread.hpp"

#include <cstdlib>
#include <new>

namespace artel::openmp {

void set_told(ompt::caller who, nest_lock& l, lock_owner self, const void* place) noexcept
{
    tell_acquire(who, ompt::mutex_kind::nest_lock, ompt::id_of(place));
    {
        const ompt::doing waiting(ompt::state::wait_lock, ompt::id_of(place));
        set_nested(l, self);
    }
    tell_nested_got(who, ompt::mutex_kind::nest_lock, ompt::id_of(place), l.count);
}

int test_told(ompt::caller who, nest_lock& l, lock_owner self, const void* place) noexcept
{
    tell_acquire(who, ompt::mutex_kind::test_nest_lock, ompt::id_of(place));
    const int depth = test_nested(l, self);
    tell_nested_got(who, ompt::mutex_kind::test_nest_lock, ompt::id_of(place), depth);
    return depth;
}

void unset_told(ompt::caller who, nest_lock& l, const void* place) noexcept
{
    const int depth = l.count - 1;
    unset_nested(l);
    tell_nested_left(who, ompt::id_of(place), depth);
}

void make_nest_lock(void** place) noexcept
{
    *place = std::malloc(sizeof(nest_lock));
    if (*place == nullptr) {
        give_up("Out of memory allocating {} bytes", sizeof(nest_lock));
    }
    new (*place) nest_lock{};
}

void free_nest_lock(void** place) noexcept
{
    std::free(*place);
    *place = nullptr;
}

}  // namespace artel::openmp
