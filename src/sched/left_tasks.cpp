// The mark that says that there may be such tasks, with its fences (PROTOCOLS.md, left tasks), and
// the calls of their makers; the decision at each look is inline in the header.
#include "sched/left_tasks.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "base/options.hpp"

namespace artel::sched {

// Called by the owner after its task has become visible.
void crew_wakeup::leave_task(worker& w) noexcept
{
    w.group_events.add();
    // As in notify(), with the same pairs: a guest that goes to sleep sees the work or is seen.
    // Also pairs with the fence in look_at_left_tasks(): the monitor sees the task, or we see that
    // it has cleared the mark.
    base::full_fence();
    if (free_.idle.load(std::memory_order_relaxed) != 0) {  // relaxed: ordered by the fence
        const bool somebody_waits = any_worker([](const worker& other) {
            // relaxed: ordered by the fence; notify() looks again.
            return other.kind == role::guest && other.idle.load(std::memory_order_relaxed);
        });
        if (somebody_waits) {
            notify(&w);
        }
    }
    let_monitor_look();
}

void crew_wakeup::take_left_tasks() noexcept
{
    if (width_ != 1) {
        return;
    }
    any_worker([](worker& w) {
        if (w.kind == role::guest && !w.tasks.empty()) {
            // relaxed (two): see relies_on_others.
            w.relies_on_others.store(true, std::memory_order_relaxed);
            w.has_old_task.store(true, std::memory_order_relaxed);
        }
        return false;
    });
    notify(nullptr);
}

bool crew_wakeup::left_by(const worker& w) noexcept
{
    if (width_ != 1 || base::options().monitor.count() == 0 ||
        w.relies_on_others.load(std::memory_order_relaxed)) {  // relaxed: see there
        return false;
    }
    // relaxed: ordered by the fence of the caller.
    const bool others = any_worker([&](const worker& other) {
        return (&other != &w && !other.tasks.empty()) || !other.ready.empty() ||
               (!other.mail.empty() && !other.takes_mail_soon());
    });
    if (!others) {
        let_monitor_look();
    }
    return !others;
}

// Called after a full fence that follows what the monitor must see.
void crew_monitor::let_monitor_look() noexcept
{
    start_monitor();
    if (!tasks_left_.load(std::memory_order_relaxed)) {  // relaxed: ordered by the caller's fence
        // seq_cst: see rouse_monitor.
        tasks_left_.store(true, std::memory_order_seq_cst);
        rouse_monitor();
    }
}

void push_from_apart(worker& w, base::work& item) noexcept
{
    if (w.own_crew.width() != 1 || !outside_scope(w) ||
        w.relies_on_others.load(std::memory_order_relaxed) ||  // relaxed: see there
        base::options().monitor.count() == 0) {
        push(w, item);
    } else if (w.tasks.push(&item)) [[likely]] {
        w.own_crew.leave_task(w);
    } else {
        post(w, item, item);
    }
}

void comes_to_wait() noexcept
{
    worker& w = *this_worker();
    if (w.own_crew.width() != 1) {
        return;
    }
    w.group_events.add();
    // relaxed (two): see relies_on_others.
    if (!w.tasks.empty() && w.relies_on_others.load(std::memory_order_relaxed)) {
        w.relies_on_others.store(false, std::memory_order_relaxed);
    }
}

void run_old_task() noexcept
{
    worker& w = *this_worker();
    // relaxed (two): see has_old_task.
    if (w.has_old_task.load(std::memory_order_relaxed)) [[unlikely]] {
        w.has_old_task.store(false, std::memory_order_relaxed);
        yield_to_tasks_too();
    }
}

}  // namespace artel::sched
