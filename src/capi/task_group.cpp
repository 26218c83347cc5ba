// Tasks of groups: how they are queued, run and counted, and limits of groups. Waiting for a group
// is in group_wait.cpp; the tasks of groups with limits: group_queue.hpp.
#include <artel/task_group.hpp>

#include "base/thread_end.hpp"
#include "capi/group_queue.hpp"
#include "capi/group_task.hpp"
#include "sched/left_tasks.hpp"
#include "sched/node_set.hpp"
#include "sched/push.hpp"
#include "sched/width.hpp"

namespace artel::detail {

namespace {

// As in the headers with which programs were compiled.
static_assert(sizeof(group_state) == 3 * sizeof(void*));
static_assert(sizeof(group_task) == sizeof(base::work) + 4 * sizeof(void*));

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
        if (sched::worker* const there = queue.nodes.pick(w.own_crew); there != nullptr) {
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
    // relaxed: decides which thread writes `error`; published by the release in finish().
    if (!group.failed.exchange(true, std::memory_order_relaxed)) {
        group.error = std::move(error);
    }
    group.cancelled.store(true, std::memory_order_relaxed);  // relaxed: as in task_group::cancel
}

// Calls the function, unless the task is dropped; and frees its memory.
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

}  // namespace

void call_within(group_task& task, const group_queue& queue) noexcept
{
    const sched::within_width inside(queue.width);
    call(task, is_cancelled(*task.group) || queue.stop.stop_requested());
}

void run_group_task(void* carrier, base::work& self)
{
    auto& task = static_cast<group_task&>(self);
    const group_queue* const queue = task.group->queue;
    auto& w = *static_cast<sched::worker*>(carrier);
    if (queue != nullptr && !queue->nodes.allows(w)) [[unlikely]] {
        if (sched::worker* const there = queue->nodes.pick(w.own_crew); there != nullptr) {
            sched::post(*there, task, task);
            return;
        }
    }
    execute(task);
}

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
    // relaxed: the task is published by its queue, and finish() releases.
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

}  // namespace artel::detail
