// taskwait, taskgroup and taskyield; running tasks while waiting.
#include "task_wait.hpp"

#include "base/log.hpp"
#include "base/os/yield.hpp"
#include "sched/crew.hpp"
#include "sched/spin.hpp"
#include "sched/suspend.hpp"
#include "stalled_tasks.hpp"
#include "team/task.hpp"
#include "team/team.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace artel::openmp {

namespace {

bool is_queued(const void* argument)
{
    const team& t = *static_cast<const team*>(argument);
    // relaxed: `used` rises before the first task is queued.
    return t.tasking.used.load(std::memory_order_relaxed) && tasks_queued(t);
}

task* steal(member& m) noexcept
{
    const team& t = *m.in;
    for (unsigned i = 1; i < t.size; ++i) {
        const unsigned victim = m.number + i < t.size ? m.number + i : m.number + i - t.size;
        task_deque& d = t.members[victim].tasks;
        if (!d.empty()) {
            if (task* const found = d.steal(); found != nullptr) {
                return found;
            }
        }
    }
    return nullptr;
}

// Whether the member may run the task while another one waits. `yields`: the program may wait in a
// loop with taskyield for any task, so only the constraint for tied tasks holds, which leaves out
// implicit ones, suspended in barriers. Other waits keep to descendants where they can, or stacks
// would grow with each task that is run by one that waits.
bool may_run(const task& found, const task& waiting, bool yields) noexcept
{
    if (waiting.is_implicit || descends_from(found, waiting)) {
        return true;
    }
    if (!yields) {
        return false;
    }
    const task& tied = innermost_tied(waiting);
    return found.untied || tied.is_implicit || descends_from(found, tied);
}

// Takes a task from the team's shared queue that the member may run while the current task waits.
task* next_shared(member& m, bool yields) noexcept
{
    task_queue& shared = m.in->tasking.shared;
    if (shared.empty()) [[likely]] {
        return nullptr;
    }
    return shared.take([&](const task& queued) { return may_run(queued, *m.current, yields); });
}

// Takes a task that the member may run while the current task waits (task scheduling constraint 1,
// OpenMP 5.1 2.12.6): it must descend from all tied tasks suspended on this member. `may_steal` is
// cleared when a task was found that may not run here; that one is now in our deque, for others to
// steal, or in the team's shared queue if `yields` in a team of several: then the caller comes
// again and again, and would move the task each time (stalled_tasks.hpp).
task* next_queued(member& m, bool& may_steal, bool yields) noexcept
{
    const task& waiting = *m.current;
    const bool shares = yields && m.in->size > 1;
    task* found = m.tasks.pop();
    const bool own = found != nullptr;
    if (!own && may_steal) {
        found = steal(m);
    }
    if (found == nullptr || may_run(*found, waiting, yields)) {
        return found;
    }
    may_steal = false;
    if (shares ? !m.in->tasking.shared.push(*found) : !m.tasks.push(found)) {
        return found;  // no memory to put it back: running it is the lesser evil
    }
    if (!own || shares) {
        call_helpers(*m.in);
    }
    return nullptr;
}

task* next_descendant(member& m, bool& may_steal) noexcept
{
    if (task* const first = next_shared(m, false); first != nullptr) [[unlikely]] {
        return first;
    }
    may_steal = may_steal && m.in->tasking.shared.empty();  // the queued ones are for others
    return next_queued(m, may_steal, false);
}

// Runs tasks until reached(); sleeps when there are none. announce() asks the thread that reaches
// the condition to wake us, and returns whether it is still to be waited for.
template <class Reached, class Announce>
void wait_for_tasks(member& m, Reached reached, Announce announce)
{
    team& t = *m.in;
    bool may_steal = true;
    unsigned fruitless = 0;
    while (!reached()) {
        if (task* const found = next_descendant(m, may_steal); found != nullptr) {
            fruitless = 0;
            run_task(m, *found);
            continue;
        }
        // Spin: others may be about to finish what we wait for, or to queue something that we may
        // take. An OS thread that waits for an event outside of any region becomes a guest of the
        // crew here.
        sched::worker* const here = sched::crew::get().enter();
        if (here == nullptr) {
            base::os::yield();  // too many threads use the crew
            continue;
        }
        sched::worker& w = *here;
        sched::spin wait(w, has_unclaimed(t) ? 0 : member_spin());
        bool found_something = false;
        while (!found_something && !w.has_work() && wait.pause() == sched::spin::advice::again) {
            found_something = reached() || (may_steal && tasks_queued(t));
        }
        if (found_something) {
            continue;
        }
        // After two fruitless wake-ups we assume that what is queued is not for us.
        const bool helpful = may_steal && ++fruitless <= 2;
        wait_queue& queue = helpful ? t.tasking.helpers : t.tasking.waits;
        const std::uint64_t word = queue.word();
        if (!announce()) {
            break;
        }
        if (helpful) {
            queue.sleep_at_home(task_state::wait_lists, word, tasks_reason(t));
            continue;
        }
        call_helpers(t);
        // Members that by the constraint hold back each other's tasks could all sleep here, so the
        // last one runs any task there is. acq_rel: it sees what the others queued before they
        // counted themselves.
        const bool last = t.tasking.stuck.fetch_add(1, std::memory_order_acq_rel) + 1 >= t.size;
        task* const found = last ? any_task(m) : nullptr;
        if (found == nullptr) {
            queue.sleep_at_home(task_state::wait_lists, word, wake_reason{});
        }
        // relaxed: too high a count costs one needless look.
        t.tasking.stuck.fetch_sub(1, std::memory_order_relaxed);
        if (found != nullptr) {
            run_task(m, *found);
        }
    }
}

}  // namespace

task* any_task(member& m) noexcept
{
    if (task_queue& shared = m.in->tasking.shared; !shared.empty()) [[unlikely]] {
        if (task* const first = shared.take([](const task&) { return true; }); first != nullptr) {
            return first;
        }
    }
    task* const found = m.tasks.pop();
    return found != nullptr ? found : steal(m);
}

bool tasks_queued(const team& t) noexcept
{
    // relaxed: an estimate; between regions it may be the number of the next region, whose members
    // exist already.
    const unsigned n = t.tasking.members.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < n; ++i) {
        if (!t.members[i].tasks.empty()) {
            return true;
        }
    }
    return !t.tasking.shared.empty();
}

wake_reason tasks_reason(const team& t) noexcept
{
    return {is_queued, &t};
}

bool wake_helper(team& t) noexcept
{
    wait_queue& queue = t.barrier.queue();
    if (queue.has_sleepers() && queue.wake_one(queue.lists())) {
        return true;
    }
    for (unsigned i = 0; i < t.tasking.queue_count; ++i) {
        auto& r = t.tasking.queues[i];
        if (r.where->has_sleepers() && r.where->wake_one(r.lists)) {
            return true;
        }
    }
    return false;
}

void call_helpers(team& t) noexcept
{
    // Pairs with the sleepers' fences (wait_queue.hpp): they see the task or we see them.
    base::full_fence();
    if (sched::crew::get().idle_workers() != 0) {
        wake_helper(t);
    }
    // The one that was woken may not come either: its own OS thread may be busy.
    if (t.size > 1) {
        watch_tasks(t);
    }
}

void wait_for_count(member& m, task& of, std::uint64_t mask, std::uint64_t flag)
{
    // acquire: pairs with the release of take_off.
    const auto reached = [&] { return (of.counts.load(std::memory_order_acquire) & mask) == 0; };
    if (reached()) {
        return;
    }
    wait_for_tasks(m, reached, [&] {
        // acq_rel: either we see zero, or the thread that brings the count there sees the flag.
        return (of.counts.fetch_or(flag, std::memory_order_acq_rel) & mask) != 0;
    });
    of.counts.fetch_and(~flag, std::memory_order_relaxed);  // relaxed: nobody counts below zero
}

void wait_for_children(member& m)
{
    wait_for_count(m, *m.current, task::children_mask, task::waits_for_children);
    if (m.current->dependences != nullptr) [[unlikely]] {
        drop_table(*m.current);
    }
}

void task_wait_depend(member& m, std::span<const dependence> clause)
{
    depend_node waiter(nullptr);
    // acquire: pairs with the release in end_node.
    const auto missing = [&] { return waiter.missing.load(std::memory_order_acquire) != 0; };
    bool waits = false;
    try {
        waits = find_predecessors(*m.current, waiter, clause);
    } catch (const std::bad_alloc&) {
        base::fatal("libgomp: Out of memory allocating dependences");
    }
    if (waits) {
        // The thread that ends the last predecessor wakes the queues.
        wait_for_tasks(m, [&] { return !missing(); }, missing);
    }
}

void wait_for_event(member& m, task& of)
{
    // acquire: pairs with fulfill_event, which wakes the queues.
    const auto missing = [&] { return of.to_end.load(std::memory_order_acquire) != 1; };
    wait_for_tasks(m, [&] { return !missing(); }, missing);
}

void await_external_task_ends(team& t) noexcept
{
    while (t.tasking.external_ends.any()) [[unlikely]] {
        if (!sched::yield()) {
            base::os::yield();
        }
    }
}

void task_yield(member& m)
{
    if (task* const found = next_shared(m, true); found != nullptr) [[unlikely]] {
        give_turn(m, *found, true);
        return;
    }
    bool may_steal = true;
    if (task* const found = next_queued(m, may_steal, true); found != nullptr) {
        give_turn(m, *found, false);
    }
}

taskgroup* cancellable_group(const task& t) noexcept
{
    taskgroup* const g = t.group;
    return g != nullptr && g->workshare && g->outer != nullptr ? g->outer : g;
}

void taskgroup_begin(member& m, bool workshare)
{
    taskgroup* group = m.spare_groups;
    if (group != nullptr) {
        m.spare_groups = group->outer;
        std::destroy_at(group);
        std::construct_at(group);
    } else {
        group = new taskgroup;
    }
    group->workshare = workshare;
    group->outer = m.current->group;
    group->reductions = group->outer != nullptr ? group->outer->reductions : nullptr;
    m.current->group = group;
}

void taskgroup_end(member& m)
{
    taskgroup* const group = m.current->group;
    const auto reached = [&] {
        // acquire: pairs with the release of leave_group.
        return (group->running.load(std::memory_order_acquire) & ~taskgroup::waiting_flag) == 0;
    };
    if (!reached()) {
        wait_for_tasks(m, reached, [&] {
            // acq_rel: either we see zero, or the thread that brings the count there sees the flag.
            return (group->running.fetch_or(taskgroup::waiting_flag, std::memory_order_acq_rel) &
                    ~taskgroup::waiting_flag) != 0;
        });
    }
    m.current->group = group->outer;
    group->outer = m.spare_groups;
    m.spare_groups = group;
}

}  // namespace artel::openmp
