// Handing work over: to any worker (push), or to a named one (post, offer).
#pragma once

#include "sched/crew.hpp"

namespace artel::sched {

// Wakes a worker that sleeps, after work was left for it and a full fence was made. Returns whether
// it slept.
inline bool wake_from_sleep(worker& w) noexcept
{
    if (!w.bed.is_parked()) {
        return false;
    }
    crew::note_cpu_of_waker();
    return w.bed.wake_if_parked();
}

// Posts work to a worker's inbox; wakes it if it sleeps. Any thread.
void post(worker& to, base::work& first, base::work& last) noexcept;

// Pushes fork-join work on the caller's deque, for the caller to pop or others to steal. `w` is
// this_worker(). Inline, because it is the cost of a task.
inline void push(worker& w, base::work& item) noexcept
{
    if (w.tasks.push(&item)) [[likely]] {
        w.own_crew.notify(&w);
    } else {
        post(w, item, item);  // no memory for a larger deque: the inbox needs none
    }
}

// Pushes back an item that take_back has popped; out of line, so that take_back has no registers to
// save.
void put_back(worker& w, base::work& item) noexcept;

// Pops `item` from the caller's deque if it is the youngest. False if it is not: it was stolen, or
// pushed on another worker, or younger work lies on top. `w` is this_worker().
inline bool take_back(worker& w, base::work& item) noexcept
{
    base::work* const youngest = w.tasks.pop();
    if (youngest == &item) [[likely]] {
        return true;
    }
    if (youngest != nullptr) {
        put_back(w, *youngest);
    }
    return false;
}

// Gives work to a worker that looks for some, faster than post; false when it does not look. See
// offer.hpp. Any thread.
bool offer(worker& to, base::work& work, unsigned argument) noexcept;

// One of the crew's own threads, round robin. nullptr when there is none and none can be made.
worker* any_own_worker(crew& c) noexcept;

// Posts work to any_own_worker(). False when there is none.
bool post_to_own_worker(crew& c, base::work& item) noexcept;

}  // namespace artel::sched
