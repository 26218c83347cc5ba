// Execution and end of explicit tasks.
#include "team/task.hpp"

#include "base/log.hpp"
#include "base/thread_end.hpp"
#include "ompt/events/explicit_task.hpp"
#include "sched/crew.hpp"
#include "task_depend.hpp"
#include "task_wait.hpp"
#include "team/late_help.hpp"
#include "team/task_cancellation.hpp"
#include "team/team.hpp"
#include "undeferred.hpp"

#include <new>

namespace artel::openmp {

namespace {

// Wakes all members that wait for tasks: the word that reached zero had a waiter's flag.
void wake_waiters(team& t) noexcept
{
    t.tasking.helpers.open_next();
    t.tasking.waits.open_next();
}

// A task of `group` has ended.
void leave_group(team& t, taskgroup* group) noexcept
{
    if (group == nullptr) {
        return;
    }
    // acq_rel: what the task did happens before what follows the end of the group. The group may be
    // gone afterwards.
    if (group->running.fetch_sub(1, std::memory_order_acq_rel) == (taskgroup::waiting_flag | 1)) {
        wake_waiters(t);
    }
}

// Subtracts `amount` from a task's counts and wakes waiters for a count that reaches zero. The task
// may be freed afterwards unless the caller keeps it alive by other means; the team stays, because
// the caller is a member in the region or counted as an outsider.
void take_off(team& t, task& of, std::uint64_t amount) noexcept
{
    // acq_rel: what was counted happens before what the waiter does next.
    const std::uint64_t before = of.counts.fetch_sub(amount, std::memory_order_acq_rel);
    const std::uint64_t after = before - amount;
    const bool no_children = (before & task::waits_for_children) != 0 &&
                             (after & task::children_mask) == 0;
    const bool no_parts = (before & task::waits_for_parts) != 0 && (after & task::parts_mask) == 0;
    if (no_children || no_parts) {
        wake_waiters(t);
    }
}

// Queues a task: in the deque of `m`, or in the team's shared queue when it has a priority or there
// is no `m`.
void queue_task(member* m, team& t, task& ready)
{
    if (m == nullptr || ready.priority > 0 || !m->tasks.push(&ready)) {
        if (!t.tasking.shared.push(ready)) {
            no_task_memory();
        }
    }
    call_helpers(t);
}

void end_task(member* m, task& ended) noexcept;

// Runs a task that is not to be queued (task::at_once). `m`: as in end_task.
void run_at_once(member* m, task& ready) noexcept
{
    if (m != nullptr) {
        run_task(*m, ready);
        return;
    }
    ready.function(ready.data);
    // acq_rel: as in run_task.
    if (ready.to_end.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        end_task(nullptr, ready);
    }
}

// Queues the tasks whose last predecessor was `ended`.
__attribute__((noinline)) void release_successors(member* m, team& t, task& ended) noexcept
{
    try {
        ready_tasks ready;
        bool waiters = end_node(ended.node, ready);
        for (task* r : ready) {
            if (r->at_once) [[unlikely]] {
                run_at_once(m, *r);
                continue;
            }
            queue_task(m, t, *r);
            waiters = waiters || m == nullptr;  // otherwise no member may look into the queue
        }
        if (waiters) {
            wake_waiters(t);
        }
    } catch (const std::bad_alloc&) {
        no_task_memory();
    }
}

// Called instead of the end of a body that is not called: only the body would have seen to it that
// the task's event is fulfilled, so the task does not wait for that. A fulfilment that comes all
// the same finds the mark, and the record, which is kept for it. False: a thread is fulfilling the
// event, and the task waits for that as after a body.
bool expect_no_event(task& what) noexcept
{
    const unsigned without = what.undeferred ? 2 : 1;  // what is left when the event has come
    unsigned now = what.to_end.load(std::memory_order_relaxed);  // relaxed: the exchange decides
    while (now != without && (now & task::any_fulfilling) == 0) {
        // acq_rel: pairs with fulfill_event.
        if (what.to_end.compare_exchange_weak(now, now | task::discarded, std::memory_order_acq_rel,
                                              std::memory_order_relaxed)) {
            return true;
        }
    }
    return now == without;
}

// Whether the record of a complete task is left to the thread that fulfils its event.
bool is_kept(task& ended) noexcept
{
    // relaxed: the thread that has set the mark has ended the task.
    if ((ended.to_end.load(std::memory_order_relaxed) & task::discarded) == 0) [[likely]] {
        return false;
    }
    // acq_rel: pairs with fulfill_event: the later of the two frees the record.
    return (ended.to_end.fetch_or(task::complete, std::memory_order_acq_rel) &
            task::any_fulfilling) == 0;
}

// Ends a task whose body has ended and whose event, if any, is fulfilled. `m`: the member that runs
// this; nullptr: a thread outside the team.
void end_task(member* m, task& ended) noexcept
{
    team& t = *ended.in;
    if (ended.node != nullptr) [[unlikely]] {
        release_successors(m, t, ended);
    }
    leave_group(t, ended.own_group);
    end_body(
        ended, [&](task& of, std::uint64_t amount) { take_off(t, of, amount); },
        [&](task& complete) {
            if (complete.dependences != nullptr) [[unlikely]] {
                drop_table(complete);
            }
            if (is_kept(complete)) [[unlikely]] {
                return;
            }
            if (m != nullptr) {
                m->task_memory.free(&complete);
            } else {
                task_allocator().free(&complete);
            }
        });
}

// Called before a task outlives the call that makes it: barriers must look for such tasks.
void note_task(team& t) noexcept
{
    openmp::note_task(t.tasking.used);
}

// Runs the body, or discards it: then false.
bool run_body(member& m, task& what) noexcept
{
    task* const before = m.current;
    if (what.untied) [[unlikely]] {
        what.interrupted = before;
    }
    m.current = &what;
    bool called = true;
    if (ompt::listens()) [[unlikely]] {
        what.tool->interrupted = before;
        called = ompt::run_explicit(m, what);
    } else if (what.must_run || !is_cancelled(*what.in, what.own_group)) {
        base::call_program([&] { what.function(what.data); });
    } else {
        called = false;
    }
    m.current = before;
    return called;
}

// Enters the new task into all counts: from here on others wait for it.
void count_in(task& made) noexcept
{
    if (made.own_group != nullptr) {
        // relaxed: the group cannot end meanwhile: it counts our own task, or our task waits at its
        // end.
        made.own_group->running.fetch_add(1, std::memory_order_relaxed);
    }
    // relaxed: the parent runs on this stack, and a thread that subtracts again got the task from
    // us.
    made.parent->counts.fetch_add(task::child + task::part, std::memory_order_relaxed);
}

// Whether a task that was executed at once has left nothing behind, now that its body has ended.
bool is_over(const task& ended) noexcept
{
    // acquire: pairs with the release in the subtractions by descendants that have ended, which do
    // not use the task any more.
    return ended.counts.load(std::memory_order_acquire) == task::part &&
           ended.dependences == nullptr;
}

// Keeps a task whose descendants have not ended, or whose table of dependences is to be dropped,
// until its last part is complete. Its group counts the descendants one by one.
[[gnu::noinline]] void leave_behind(member& m, task& ended) noexcept
{
    ended.own_group = nullptr;
    count_in(ended);
    end_task(&m, ended);
}

// Ends a task that was executed at once and that no count includes yet.
void end_uncounted(member& m, task& ended) noexcept
{
    if (is_over(ended)) [[likely]] {
        m.task_memory.free(&ended);
    } else {
        leave_behind(m, ended);
    }
}

}  // namespace

void no_task_memory() noexcept
{
    base::fatal("libgomp: Out of memory allocating a task");
}

namespace {

// The body of the task, or its last part, has ended, or it was not called.
void end_run(member& m, task& what, bool called) noexcept
{
    // acquire, acq_rel: pairs with fulfill_event: the later of the body's end and the fulfilment
    // sees what the other did.
    if (what.to_end.load(std::memory_order_acquire) != 1 &&
        ((called && !what.skipped) || !expect_no_event(what)) &&
        what.to_end.fetch_sub(1, std::memory_order_acq_rel) != 1) [[unlikely]] {
        return;
    }
    end_task(&m, what);
}

}  // namespace

bool run_task(member& m, task& what) noexcept
{
    end_run(m, what, run_body(m, what));
    return true;
}

void give_turn(member& m, task& what, bool shared) noexcept
{
    what.one_part = what.untied;
    const bool called = run_body(m, what);
    if (!what.has_more) {
        end_run(m, what, called);
        return;
    }
    what.has_more = false;
    what.must_run = true;  // it has begun, so a cancellation is its own matter
    queue_task(shared ? nullptr : &m, *m.in, what);
}

void fulfill_event(void* event)
{
    task& of = *static_cast<task*>(event);
    // acq_rel: pairs with expect_no_event: the task is not discarded from here on, so it waits for
    // us; and with is_kept.
    const unsigned state = of.to_end.fetch_add(task::fulfilling, std::memory_order_acq_rel);
    if ((state & task::discarded) != 0) [[unlikely]] {
        if ((state & task::complete) != 0) {
            task_allocator().free(&of);
        }
        return;  // the team may be gone
    }
    team& t = *of.in;
    const bool somebody_waits = of.undeferred;
    auto* const here = static_cast<member*>(fiber::this_tls().local);
    member* const m = here != nullptr && here->in == &t ? here : nullptr;
    // The task keeps the team alive only until it ends, and we wake the waiters after that.
    if (m == nullptr) {
        t.tasking.external_ends.enter();
    }
    if (ompt::attached()) [[unlikely]] {
        ompt::tell_fulfilled(of, (state & task::to_end_mask) == (somebody_waits ? 3 : 2));
    }
    // acq_rel: as in run_task.
    const unsigned before = of.to_end.fetch_sub(task::fulfilling + 1, std::memory_order_acq_rel) &
                            task::to_end_mask;
    if (before == 1) {
        end_task(m, of);
    } else if (somebody_waits && before == 2) {
        wake_waiters(t);
    }
    if (m == nullptr) {
        t.tasking.external_ends.leave();
    }
}

void end_moved(member& m) noexcept
{
    task& ended = *m.current;
    m.current = ended.parent;
    end_uncounted(m, ended);
}

void submit_task(member& m, task& made, std::span<const dependence> dependences)
{
    team& t = *m.in;
    // relaxed: not shared yet.
    const bool detached = made.to_end.load(std::memory_order_relaxed) > 1;
    const bool now = made.undeferred || made.at_once || runs_undeferred(m, true);
    if (now && !detached && (made.undeferred || dependences.empty() || !may_have_predecessors(m))) {
        made.in_place = true;
        run_body(m, made);
        end_uncounted(m, made);
        return;
    }
    count_in(made);
    if (made.undeferred) {
        if ((run_body(m, made) && !made.skipped) || !expect_no_event(made)) {
            // acq_rel: as in run_task. Not the last one: the wait counts, too.
            made.to_end.fetch_sub(1, std::memory_order_acq_rel);
            wait_for_event(m, made);
        }
        end_task(&m, made);
        return;
    }
    if (!now || detached || !dependences.empty()) {
        note_task(t);
    }
    if (!dependences.empty()) [[unlikely]] {
        try {
            if (add_dependences(*made.parent, made, dependences)) {
                return;  // the thread that ends its last predecessor queues it
            }
        } catch (const std::bad_alloc&) {
            no_task_memory();
        }
    }
    if (now) {
        made.in_place = true;
        run_task(m, made);
    } else if (made.priority > 0) [[unlikely]] {
        queue_task(&m, t, made);
    } else if (m.tasks.push(&made)) {
        call_helpers(t);
    } else {
        run_task(m, made);
    }
}

void begin_in_place(member& m, task& made) noexcept
{
    if (made.untied) [[unlikely]] {
        made.interrupted = m.current;
    }
    made.in_place = true;
    m.current = &made;
}

void end_in_place(member& m, task& made)
{
    m.current = made.parent;
    // acquire: as in run_task.
    if (made.to_end.load(std::memory_order_acquire) == 1) {
        end_uncounted(m, made);
        return;
    }
    note_task(*m.in);
    count_in(made);
    // acq_rel: as in run_task.
    if (made.to_end.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        end_task(&m, made);
    }
}

}  // namespace artel::openmp
