// Groups of tasks: counting and waiting. The tasks of groups with limits: group_queue.hpp.
#include <artel/task_group.hpp>

#include "base/thread_end.hpp"
#include "capi/group_queue.hpp"
#include "sched/isolation.hpp"
#include "sched/left_tasks.hpp"
#include "sched/node_set.hpp"
#include "sched/push.hpp"
#include "sched/width.hpp"

#include <algorithm>
#include <mutex>

namespace artel::detail {

namespace {

// As in the headers that programs were compiled with.
static_assert(sizeof(group_state) == 3 * sizeof(void*));
static_assert(sizeof(group_task) == sizeof(base::work) + 4 * sizeof(void*));

void run_group_task(void* carrier, base::work& self);

void push_here(sched::worker& w, group_task& task) noexcept
{
    task.run = run_group_task;
    if (w.current->spawns_apart) [[unlikely]] {
        sched::push_from_apart(w, task);
    } else {
        sched::push(w, task);
    }
}

void begin(const group_queue& queue, sched::worker& w, group_task& task) noexcept
{
    if (queue.nodes.restricts()) {
        if (sched::worker* const there = queue.nodes.pick(w.home); there != nullptr) {
            task.run = run_group_task;
            sched::post(*there, task, task);
            return;
        }
    }
    push_here(w, task);
}

void fail(group_state& group) noexcept
{
    std::exception_ptr error = base::caught();
    // relaxed: decides who writes `error`; published by the release in finish().
    if (!group.failed.exchange(true, std::memory_order_relaxed)) {
        group.error = std::move(error);
    }
    group.cancelled.store(true, std::memory_order_relaxed);  // relaxed: as in task_group::cancel
}

// The group may be gone afterwards.
void finish(group_state& group) noexcept
{
    // release: what the task did is seen by whoever waits; acquire: so that the last one passes on
    // what the earlier ones released.
    if (group.pending.fetch_sub(2, std::memory_order_acq_rel) == 3) {
        wake_word(group.pending, wake_all);
    }
}

// The function, unless it is to be dropped; and its memory.
void call(group_task& task, bool dropped) noexcept
{
    if (!dropped) {
        try {
            task.call(task);
        } catch (...) {
            fail(*task.group);
        }
    }
    const std::size_t size = task.size;
    task.destroy(task);
    free_block(&task, size);
}

bool is_cancelled(const group_state& group) noexcept
{
    return group.cancelled.load(std::memory_order_relaxed);  // relaxed: as in task_group::cancel
}

void call_within(group_task& task, const group_queue& queue) noexcept
{
    const sched::within_width inside(queue.width);
    call(task, is_cancelled(*task.group) || queue.stop.stop_requested());
}

void execute(group_task& task) noexcept;

// A task of a group with limits.
[[gnu::noinline]] void execute_limited(group_task& task, group_queue& queue) noexcept
{
    group_state& group = *task.group;
    call_within(task, queue);
    if (group_task* const next = next_of(queue); next != nullptr) {
        if (sched::worker* const w = sched::this_worker(); w != nullptr) {
            begin(queue, *w, *next);
        } else {
            execute(*next);
        }
    }
    finish(group);
}

void execute(group_task& task) noexcept
{
    group_state& group = *task.group;
    if (group.queue != nullptr) [[unlikely]] {
        execute_limited(task, *group.queue);
        return;
    }
    call(task, is_cancelled(group));
    finish(group);
}

void run_group_task(void* carrier, base::work& self)
{
    auto& task = static_cast<group_task&>(self);
    const group_queue* const queue = task.group->queue;
    auto& w = *static_cast<sched::worker*>(carrier);
    if (queue != nullptr && !queue->nodes.allows(w)) [[unlikely]] {
        if (sched::worker* const there = queue->nodes.pick(w.home); there != nullptr) {
            sched::post(*there, task, task);
            return;
        }
    }
    execute(task);
}

// Runs tasks that were deferred, where the caller has a place for them.
void run_deferred(group_state& group, group_queue& queue) noexcept
{
    if (queue.width == nullptr) {
        return;
    }
    while (group_task* const next = next_for_waiter(queue)) {
        call_within(*next, queue);
        end_of_waiters(queue);
        finish(group);
    }
}

bool belongs_to(const base::work& item, const group_state& group) noexcept
{
    return item.run == run_group_task && static_cast<const group_task&>(item).group == &group;
}

// The youngest task of the group in the caller's deque, wherever it lies.
base::work* dig_out(sched::worker& w, const group_state& group) noexcept
{
    base::work* above = nullptr;  // the oldest first
    base::work* found = nullptr;
    while ((found = w.tasks.pop()) != nullptr && !belongs_to(*found, group)) {
        found->next = above;
        above = found;
    }
    while (above != nullptr) {
        base::work* const next = above->next;
        sched::put_back(w, *above);
        above = next;
    }
    return found;
}

// `youngest` is none of the group's: it goes back. Whoever is isolated looks beneath, because it
// may be that nobody else comes for the group's.
[[gnu::noinline]] base::work* look_beneath(sched::worker& w, base::work& youngest,
                                           const group_state& group) noexcept
{
    sched::push(w, youngest);
    return sched::isolated(w) ? dig_out(w, group) : nullptr;
}

// Runs the group's tasks that lie on top of the caller's own deque; if it is isolated, wherever
// they lie there.
void run_own(group_state& group) noexcept
{
    // acquire: pairs with finish().
    while (group.pending.load(std::memory_order_acquire) >= 2) {
        // each time: a task may have brought us elsewhere.
        sched::worker& w = *sched::this_worker();
        base::work* youngest = w.tasks.pop();
        if (youngest != nullptr && !belongs_to(*youngest, group)) [[unlikely]] {
            youngest = look_beneath(w, *youngest, group);
        }
        if (youngest == nullptr) {
            return;
        }
        youngest->run(&w, *youngest);
    }
}

void wait_until_done(group_state& group) noexcept
{
    const sched::guest_scope scope;
    if (scope.is_outermost()) {
        sched::comes_to_wait();
    }
    if (scope) {
        run_own(group);
    }
    for (;;) {
        if (group.queue != nullptr) [[unlikely]] {
            run_deferred(group, *group.queue);
        }
        // acquire: pairs with finish().
        std::uint32_t left = group.pending.load(std::memory_order_acquire);
        if (left < 2) {
            break;
        }
        if (spin_while(group.pending, left)) {
            continue;
        }
        // relaxed: only announces a waiter; the word itself is compared again by wait_word.
        if ((left & 1) == 0 &&
            (!group.pending.compare_exchange_strong(left, left | 1, std::memory_order_relaxed) ||
             (group.queue != nullptr && group.queue->width != nullptr))) {
            continue;  // in a width_scope, to look at what was deferred once more: see admit()
        }
        wait_word(group.pending, left | 1);
    }
    // Only if nobody has come since: a waiter of the group's next use may rely on the mark. One too
    // many costs a wake-up.
    std::uint32_t marked = 1;
    // relaxed: the word itself decides in wait_word.
    group.pending.compare_exchange_strong(marked, 0, std::memory_order_relaxed);
    if (scope.is_outermost()) {
        sched::run_old_task();
    }
}

}  // namespace

void set_group_limit(group_state& group, const limit& limits)
{
    width_budget* const width = sched::width_here();
    if (limits.concurrency == 0 && limits.numas.empty() && !limits.stop.stop_possible() &&
        width == nullptr) {
        return;
    }
    auto* const queue = new group_queue;
    queue->width = width;
    queue->most = limits.concurrency != 0 ? limits.concurrency : ~0u;
    try {
        queue->numas = limits.numas;
    } catch (...) {
        delete queue;
        throw;
    }
    queue->nodes = sched::node_set(queue->numas);
    queue->stop = limits.stop;
    group.queue = queue;
}

void open_group(group_state& group)
{
    if (sched::width_here() != nullptr) [[unlikely]] {
        set_group_limit(group, {});
    }
}

void free_group_limit(group_state& group) noexcept
{
    delete group.queue;
}

void run_in_group(group_state& group, group_task& task) noexcept
{
    task.group = &group;
    // relaxed: the task is published by the queue it goes into, and finish() releases.
    group.pending.fetch_add(2, std::memory_order_relaxed);
    group_queue* const queue = group.queue;
    if (queue != nullptr && !admit(*queue, task)) [[unlikely]] {
        return;
    }
    sched::worker* w = sched::this_worker();
    if (w == nullptr) [[unlikely]] {
        w = sched::crew::get().enter();
        if (w == nullptr) {
            execute(task);  // no slot for this OS thread: the task is an ordinary call
            return;
        }
    }
    if (queue != nullptr) [[unlikely]] {
        begin(*queue, *w, task);
    } else {
        push_here(*w, task);
    }
}

group_status wait_for_group(group_state& group)
{
    wait_until_done(group);
    // relaxed: ordered by `pending`.
    const bool was_cancelled = group.cancelled.load(std::memory_order_relaxed) ||
                               (group.queue != nullptr && group.queue->stop.stop_requested());
    // relaxed (three): ordered by `pending`; the exchange decides which of several waiters throws.
    group.cancelled.store(false, std::memory_order_relaxed);
    if (group.failed.load(std::memory_order_relaxed) &&
        group.failed.exchange(false, std::memory_order_relaxed)) {
        std::rethrow_exception(std::exchange(group.error, nullptr));
    }
    return was_cancelled ? group_status::cancelled : group_status::complete;
}

void settle_group(group_state& group) noexcept
{
    // acquire: pairs with finish().
    if (group.pending.load(std::memory_order_acquire) >= 2) {
        wait_until_done(group);
    }
    if (group.queue != nullptr) {
        free_group_limit(group);
    }
}

}  // namespace artel::detail
