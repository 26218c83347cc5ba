// Callers that hold a lock: while a fiber is isolated it is not suspended, since its OS thread
// would go on with anybody's work, which may want the lock. suspend() says no, as it does when
// there is no memory for a stack to go on with, and whoever asked blocks the OS thread instead.
//
// What is waited for must then not depend on this OS thread. A construct's own tasks may lie in its
// deque, under younger work that is not the construct's: these are dug out (take_back_from_below).
// And while it sleeps another worker may be active in its place (away): there may be other work in
// its deque, of which what is waited for may be a part.
#pragma once

#include "sched/guest_scope.hpp"

namespace artel::sched {

inline bool isolated(const worker& w) noexcept
{
    return w.current->isolated != 0;
}

// take_back, wherever in the caller's deque the item lies. Takes as long as there are others on
// top.
bool take_back_from_below(worker& w, base::work& item) noexcept;

// While the OS thread sleeps in the kernel: it is not counted as active if it is isolated.
class away {
public:
    away() noexcept
    {
        worker* const w = this_worker();
        if (w == nullptr || !isolated(*w) || outside_scope(*w) || w->duty == role::reserve) {
            return;
        }
        left_ = w;
        // Whoever has begun what is waited for may be left by its worker, which then blocks in the
        // lock that the caller holds.
        if constexpr (!base::modelled) {
            w->home.start_monitor();
        }
        w->home.guest_ends(*w);
    }
    ~away()
    {
        if (left_ != nullptr) {
            left_->home.guest_begins(*left_);
        }
    }
    away(const away&) = delete;
    away& operator=(const away&) = delete;

private:
    worker* left_ = nullptr;
};

}  // namespace artel::sched
