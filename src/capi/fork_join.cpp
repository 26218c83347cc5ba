// Spawning, reclaiming and running fork-join tasks: <artel/detail/fork_join.hpp>. Programs have
// `task` in their frames, with the size in the header that they were compiled with: it must not
// grow.
#include "base/thread_end.hpp"
#include "sched/isolation.hpp"
#include "sched/push.hpp"
#include "sched/width.hpp"

#include <artel/detail/block.hpp>
#include <artel/detail/fork_join.hpp>
#include <new>

namespace artel::detail {

namespace {

static_assert(sizeof(task) == sizeof(base::work) + 3 * sizeof(void*));

void call(task& t) noexcept
{
    try {
        t.call(t);
    } catch (...) {
        t.error = base::caught();
    }
}

// Lies in the deque for a task that has a place in a width_scope: the task's `run` is nullptr, and
// its `next`, which no queue uses, points here.
struct placed : base::work {
    task* of;
    width_budget* within;
};

void give_back(placed& p) noexcept
{
    sched::give_places(*p.within, 1);
    p.~placed();
    free_block(&p, sizeof p);
}

void run_placed(void*, base::work& self)
{
    placed& p = static_cast<placed&>(self);
    task& t = *p.of;
    {
        const sched::within_width inside(p.within);
        call(t);
    }
    give_back(p);
    t.done.set();  // `t` may be gone now
}

void spawn_within(sched::worker& w, task& t) noexcept
{
    width_budget& scope = *w.current->width;
    if (sched::take_places(scope, 1) == 0) {
        return;
    }
    try {
        auto* const p = new (allocate_block(sizeof(placed)))
            placed{{nullptr, run_placed}, &t, &scope};
        t.next = p;
        sched::push(w, *p);
    } catch (const std::bad_alloc&) {
        sched::give_places(scope, 1);
    }
}

// The slow path of spawn: an external thread begins a construct, or the caller is in a width_scope.
[[gnu::noinline, gnu::cold]] bool spawn_apart(task& t) noexcept
{
    bool outermost = false;
    sched::worker* const w = sched::enter_scope(outermost);
    if (w != nullptr && w->current->width == nullptr) {
        sched::push(*w, t);
        return outermost;
    }
    t.run = nullptr;  // reclaim() finds it here
    t.next = nullptr;
    if (w != nullptr) {
        spawn_within(*w, t);
    }
    return outermost;
}

// The popped item (`youngest`; nullptr: none) is not ours but a task of an enclosing group, which
// must not run here: it is put back. An isolated caller looks beneath it, because no other worker
// may come. In a function of its own, so that reclaim() has no registers to save.
[[gnu::noinline, gnu::cold]] bool not_on_top(sched::worker& w, base::work* youngest,
                                             base::work& item) noexcept
{
    if (youngest != nullptr) {
        sched::put_back(w, *youngest);
    }
    return sched::isolated(w) && sched::take_back_from_below(w, item);
}

bool take_back(base::work& item) noexcept
{
    sched::worker& w = *sched::this_worker();
    base::work* const youngest = w.tasks.pop();
    return youngest == &item || not_on_top(w, youngest, item);
}

[[gnu::noinline, gnu::cold]] bool reclaim_apart(task& t) noexcept
{
    if (t.next == nullptr) {
        return true;
    }
    placed& p = static_cast<placed&>(*t.next);
    if (!take_back(p)) {
        return false;
    }
    give_back(p);
    return true;
}

}  // namespace

void run_task(void*, base::work& self)
{
    task& t = static_cast<task&>(self);
    call(t);
    t.done.set();  // `t` may be gone now
}

bool spawn(task& t) noexcept
{
    sched::worker* const w = sched::this_worker();
    if (w == nullptr || w->current->spawns_apart) [[unlikely]] {
        return spawn_apart(t);
    }
    sched::push(*w, t);
    return false;
}

bool reclaim(task& t) noexcept
{
    return t.run != nullptr ? take_back(t) : reclaim_apart(t);
}

void leave() noexcept
{
    sched::leave_scope();
}

}  // namespace artel::detail
