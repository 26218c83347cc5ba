// Spawning, taking back and running fork-join tasks: <artel/detail/fork_join.hpp>.
#include "base/thread_end.hpp"
#include "sched/guest_scope.hpp"

#include <artel/detail/fork_join.hpp>

namespace artel::detail {

void run_task(void*, base::work& self)
{
    task& t = static_cast<task&>(self);
    try {
        t.call(t);
    } catch (...) {
        t.error = base::caught();
    }
    t.done.set();  // `t` may be gone now
}

// A construct begins on an external thread.
[[gnu::noinline, gnu::cold]] static bool spawn_outermost(task& t) noexcept
{
    bool outermost = false;
    sched::worker* const w = sched::enter_scope(outermost);
    if (w == nullptr) {
        t.run = nullptr;  // reclaim() finds it here
        return false;
    }
    sched::push(*w, t);
    return outermost;
}

bool spawn(task& t) noexcept
{
    sched::worker* const w = sched::this_worker();
    if (w == nullptr || sched::outside_scope(*w)) [[unlikely]] {
        return spawn_outermost(t);
    }
    sched::push(*w, t);
    return false;
}

bool reclaim(task& t) noexcept
{
    if (t.run == nullptr) [[unlikely]] {
        return true;
    }
    // What lies on top instead is not ours to run here: a task of an enclosing group.
    return sched::take_back(*sched::this_worker(), t);
}

void leave() noexcept
{
    sched::leave_scope();
}

}  // namespace artel::detail
