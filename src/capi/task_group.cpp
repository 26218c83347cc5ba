// Groups of tasks: counting, waiting, and holding back the tasks of groups with limits.
#include <artel/task_group.hpp>

#include "base/spinlock.hpp"
#include "base/thread_end.hpp"
#include "sched/guest_scope.hpp"
#include "sched/node_set.hpp"

#include <algorithm>
#include <mutex>

namespace artel::detail {

// Only groups with limits have one. Guarded by the lock except what never changes.
struct group_queue {
    base::spinlock lock;
    unsigned running = 0;
    unsigned most = 0;  // constant
    base::work* first = nullptr;
    base::work* last = nullptr;
    std::vector<unsigned> numas;  // constant
    sched::node_set nodes;        // constant; refers to numas
    std::stop_token stop;         // constant
};

namespace {

void run_group_task(void* carrier, base::work& self);

void begin(group_queue* queue, sched::worker& w, group_task& task) noexcept
{
    task.run = run_group_task;
    if (queue != nullptr && queue->nodes.restricts()) {
        if (sched::worker* const there = queue->nodes.pick(w.home); there != nullptr) {
            sched::post(*there, task, task);
            return;
        }
    }
    sched::push(w, task);
}

// Whether the task may begin now; otherwise it has been put aside.
bool admit(group_queue& queue, group_task& task) noexcept
{
    const std::scoped_lock hold(queue.lock);
    if (queue.running < queue.most) {
        ++queue.running;
        return true;
    }
    task.next = nullptr;
    (queue.last != nullptr ? queue.last->next : queue.first) = &task;
    queue.last = &task;
    return false;
}

// A task ends: the next one that was put aside takes its place.
group_task* next_of(group_queue& queue) noexcept
{
    const std::scoped_lock hold(queue.lock);
    base::work* const next = queue.first;
    if (next == nullptr) {
        --queue.running;
        return nullptr;
    }
    queue.first = next->next;
    if (queue.first == nullptr) {
        queue.last = nullptr;
    }
    return static_cast<group_task*>(next);
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

bool dropped(const group_state& group) noexcept
{
    // relaxed: as in task_group::cancel.
    return group.cancelled.load(std::memory_order_relaxed) ||
           (group.queue != nullptr && group.queue->stop.stop_requested());
}

void execute(group_task& task) noexcept
{
    group_state& group = *task.group;
    if (!dropped(group)) {
        try {
            task.call(task);
        } catch (...) {
            fail(group);
        }
    }
    const std::size_t size = task.size;
    task.destroy(task);
    free_block(&task, size);
    if (group.queue != nullptr) {
        if (group_task* const next = next_of(*group.queue); next != nullptr) {
            if (sched::worker* const w = sched::this_worker(); w != nullptr) {
                begin(group.queue, *w, *next);
            } else {
                execute(*next);
            }
        }
    }
    finish(group);
}

void run_group_task(void* carrier, base::work& self)
{
    auto& task = static_cast<group_task&>(self);
    const group_queue* const queue = task.group->queue;
    auto& w = *static_cast<sched::worker*>(carrier);
    if (queue != nullptr && !queue->nodes.allows(w)) {
        if (sched::worker* const there = queue->nodes.pick(w.home); there != nullptr) {
            sched::post(*there, task, task);
            return;
        }
    }
    execute(task);
}

// Runs the group's tasks that lie on top of the caller's own deque.
void run_own(group_state& group) noexcept
{
    // acquire: pairs with finish().
    while (group.pending.load(std::memory_order_acquire) >= 2) {
        // each time: a task may have brought us elsewhere.
        sched::worker& w = *sched::this_worker();
        base::work* const youngest = w.tasks.pop();
        if (youngest == nullptr) {
            return;
        }
        if (youngest->run != run_group_task ||
            static_cast<group_task*>(youngest)->group != &group) {
            sched::push(w, *youngest);
            return;
        }
        youngest->run(&w, *youngest);
    }
}

void wait_until_done(group_state& group) noexcept
{
    const sched::guest_scope scope;
    if (scope) {
        run_own(group);
    }
    for (;;) {
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
            !group.pending.compare_exchange_strong(left, left | 1, std::memory_order_relaxed)) {
            continue;
        }
        wait_word(group.pending, left | 1);
    }
    // Only if nobody has come since: a waiter of the group's next use may rely on the mark. One too
    // many costs a wake-up.
    std::uint32_t marked = 1;
    // relaxed: the word itself decides in wait_word.
    group.pending.compare_exchange_strong(marked, 0, std::memory_order_relaxed);
}

}  // namespace

void set_group_limit(group_state& group, const limit& limits)
{
    if (limits.concurrency == 0 && limits.numas.empty() && !limits.stop.stop_possible()) {
        return;
    }
    auto* const queue = new group_queue;
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

void free_group_limit(group_state& group) noexcept
{
    delete group.queue;
}

void run_in_group(group_state& group, group_task& task) noexcept
{
    task.group = &group;
    // relaxed: the task is published by the queue it goes into, and finish() releases.
    group.pending.fetch_add(2, std::memory_order_relaxed);
    if (group.queue != nullptr && !admit(*group.queue, task)) {
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
    begin(group.queue, *w, task);
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
