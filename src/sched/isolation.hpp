// For callers that hold a lock: an isolated fiber is not suspended, since its OS thread would
// continue with arbitrary work, which may want the lock. suspend() returns false, as it does
// without memory for a stack, and the caller blocks the OS thread instead.
//
// The awaited work must then not depend on this OS thread. A construct's own tasks may lie in its
// deque, under younger work that is not the construct's: these are taken out
// (take_back_from_below). And while it sleeps another worker may be active in its place (class
// away), because the sleeper's deque may hold other work, which may include what it waits for.
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

// While it exists, the OS thread sleeps in the kernel, and is not counted as active if it is
// isolated.
class away {
public:
    away() noexcept
    {
        worker* const w = this_worker();
        if (w == nullptr || !isolated(*w) || outside_scope(*w) || w->kind == role::reserve) {
            return;
        }
        left_ = w;
        // The awaited work may be suspended by its worker, which then blocks in the lock that the
        // caller holds.
        if constexpr (!base::modelled) {
            w->own_crew.start_monitor();
        }
        w->own_crew.guest_ends(*w);
    }
    ~away()
    {
        if (left_ != nullptr) {
            left_->own_crew.guest_begins(*left_);
        }
    }
    away(const away&) = delete;
    away& operator=(const away&) = delete;

private:
    worker* left_ = nullptr;
};

}  // namespace artel::sched
