// Spawning, taking back and running fork-join tasks: <artel/detail/fork_join.hpp>.
#include "sched/guest_scope.hpp"

#include <artel/detail/fork_join.hpp>

namespace artel::detail {

void run_task(void*, base::work& self)
{
    task& t = static_cast<task&>(self);
    try {
        t.call(t);
    } catch (...) {
        t.error = std::current_exception();
    }
    t.done.set();  // `t` may be gone now
}

bool spawn(task& t) noexcept
{
    sched::worker* w = sched::this_worker();
    bool outermost = false;
    if (w == nullptr || sched::outside_scope(*w)) [[unlikely]] {
        w = sched::enter_scope(outermost);
        if (w == nullptr) {
            t.run = nullptr;  // reclaim() finds it here
            return false;
        }
    }
    sched::push(*w, t);
    return outermost;
}

bool reclaim(task& t) noexcept
{
    if (t.run == nullptr) [[unlikely]] {
        return true;
    }
    sched::worker& w = *sched::this_worker();
    base::work* const youngest = w.tasks.pop();
    if (youngest == &t) [[likely]] {
        return true;
    }
    // Stolen; or we came back on another worker; or younger work lies on top that is not ours to run here: a task of an enclosing group.
    if (youngest != nullptr) {
        sched::push(w, *youngest);
    }
    return false;
}

void leave() noexcept
{
    sched::leave_scope();
}

}  // namespace artel::detail
