// For callers that hold a lock: an isolated fiber is not suspended, since its OS thread would
// continue with arbitrary work, which may want the lock. suspend() returns false, as it does
// without memory for a stack, and the caller blocks the OS thread instead.
//
// The awaited work must then not depend on this OS thread. A construct's own tasks may lie in its
// deque, under younger work that is not the construct's: these are taken out
// (take_back_from_below). And while it sleeps another worker may be active in its place
// (isolated_sleeper), because the sleeper's deque may hold other work, which may include what it
// waits for.
#pragma once

#include "sched/guest_scope.hpp"

namespace artel::sched {

inline bool isolated(const worker& w) noexcept
{
    return w.current->isolated != 0;
}

// take_back, wherever in the caller's deque the item lies. Takes time proportional to the items on
// top.
bool take_back_from_below(worker& w, base::work& item) noexcept;

// For a caller whose OS thread is about to sleep in the kernel: its worker, for an inactive_scope,
// if it is isolated and counted as active, else nullptr.
inline worker* isolated_sleeper() noexcept
{
    worker* const w = this_worker();
    if (w == nullptr || !isolated(*w) || outside_scope(*w) || w->kind == role::reserve) {
        return nullptr;
    }
    // The awaited work may be suspended by its worker, which then blocks in the lock that the
    // caller holds.
    if constexpr (!base::modelled) {
        w->own_crew.start_monitor();
    }
    return w;
}

}  // namespace artel::sched
