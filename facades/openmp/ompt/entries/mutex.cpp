// A lock's address is its identity. Functions with a lock_word also lock and unlock it; the others
// tell of what their caller does.
#include "mutex.hpp"

#include "regions/told_region.hpp"
#include "worksharing/loop.hpp"

namespace artel::openmp::ompt {
namespace {

state state_of(mutex_kind kind) noexcept
{
    switch (kind) {
    case mutex_kind::critical: return state::wait_critical;
    case mutex_kind::atomic: return state::wait_atomic;
    case mutex_kind::ordered: return state::wait_ordered;
    default: return state::wait_lock;
    }
}

// A thread that takes a lock becomes an OpenMP thread: the tool may ask for its data.
void make_known() noexcept
{
    this_member();
}

}  // namespace

void tell_acquire(caller who, mutex_kind kind, wait_id id) noexcept
{
    make_known();
    tell<event::mutex_acquire>(kind, 0u, mutex_queuing, id, who.code);
}

void tell_acquired(caller who, mutex_kind kind, wait_id id) noexcept
{
    tell<event::mutex_acquired>(kind, id, who.code);
}

void tell_released(caller who, mutex_kind kind, wait_id id) noexcept
{
    make_known();
    tell<event::mutex_released>(kind, id, who.code);
}

void tell_lock_made(caller who, mutex_kind kind, const void* place) noexcept
{
    make_known();
    tell<event::lock_init>(kind, 0u, mutex_queuing, id_of(place), who.code);
}

void tell_lock_gone(caller who, mutex_kind kind, const void* place) noexcept
{
    make_known();
    tell<event::lock_destroy>(kind, id_of(place), who.code);
}

void tell_lock(caller who, mutex_kind kind, lock_word& word) noexcept
{
    const wait_id id = id_of(&word);
    tell_acquire(who, kind, id);
    {
        const doing waiting(state_of(kind), id);
        lock(word);
    }
    tell_acquired(who, kind, id);
}

bool tell_try_lock(caller who, lock_word& word) noexcept
{
    const wait_id id = id_of(&word);
    tell_acquire(who, mutex_kind::test_lock, id);
    const bool got = try_lock(word);
    if (got) {
        tell_acquired(who, mutex_kind::test_lock, id);
    }
    return got;
}

void tell_unlock(caller who, mutex_kind kind, lock_word& word) noexcept
{
    unlock(word);
    tell_released(who, kind, id_of(&word));
}

void tell_nested_got(caller who, mutex_kind kind, wait_id id, int depth) noexcept
{
    if (depth == 1) {
        tell_acquired(who, kind, id);
    } else if (depth > 1) {
        tell<event::nest_lock>(endpoint::begin, id, who.code);
    }
}

void tell_nested_left(caller who, wait_id id, int depth) noexcept
{
    if (depth == 0) {
        tell_released(who, mutex_kind::nest_lock, id);
    } else {
        tell<event::nest_lock>(endpoint::end, id, who.code);
    }
}

void tell_ordered(caller who)
{
    member& m = this_member();
    const wait_id id = id_of(m.in);
    tell_acquire(who, mutex_kind::ordered, id);
    {
        const doing waiting(state::wait_ordered, id);
        await_turn(m);
    }
    tell_acquired(who, mutex_kind::ordered, id);
}

void tell_ordered_end(caller who)
{
    tell_released(who, mutex_kind::ordered, id_of(this_member().in));
}

}  // namespace artel::openmp::ompt
