// The queue of a group of tasks with limits: it counts running tasks, and holds those that are
// deferred until one of these has ended. Inside src/capi only.
#pragma once

#include "base/spinlock.hpp"
#include "sched/node_set.hpp"
#include "sched/width.hpp"

#include <artel/task_group.hpp>
#include <mutex>
#include <stop_token>
#include <vector>

namespace artel::detail {

// Only groups with limits have one. Guarded by the lock, except constants.
struct group_queue {
    base::spinlock lock;
    unsigned running = 0;
    unsigned most = 0;  // constant
    base::work* first = nullptr;
    base::work* last = nullptr;
    std::vector<unsigned> numas;    // constant
    sched::node_set nodes;          // constant; refers to numas
    std::stop_token stop;           // constant
    width_budget* width = nullptr;  // constant: the width_scope in which the group was made
};

// Whether the task may begin now; otherwise it has been deferred, and the group may be gone.
inline bool admit(group_queue& queue, group_task& task) noexcept
{
    std::unique_lock hold(queue.lock);
    if (queue.running < queue.most &&
        (queue.width == nullptr || sched::take_places(*queue.width, 1) != 0)) {
        ++queue.running;
        return true;
    }
    task.next = nullptr;
    (queue.last != nullptr ? queue.last->next : queue.first) = &task;
    queue.last = &task;
    if (queue.width == nullptr) {
        return false;
    }
    // A waiter that has a place for the task checks the queue once more between setting its mark
    // and falling asleep: it finds the task, or we find the mark. The word changes, so that it does
    // not fall asleep.
    word& pending = task.group->pending;
    // relaxed: ordered by the lock.
    const bool awaited = (pending.fetch_and(~1u, std::memory_order_relaxed) & 1) != 0;
    hold.unlock();
    if (awaited) {
        wake_word(pending, wake_all);  // uses the address alone
    }
    return false;
}

// Under the lock: the oldest task that was deferred; nullptr when there is none.
inline group_task* take_first(group_queue& queue) noexcept
{
    base::work* const first = queue.first;
    if (first != nullptr) {
        queue.first = first->next;
        if (queue.first == nullptr) {
            queue.last = nullptr;
        }
    }
    return static_cast<group_task*>(first);
}

// A task ends: the oldest deferred one takes its place.
inline group_task* next_of(group_queue& queue) noexcept
{
    const std::scoped_lock hold(queue.lock);
    group_task* const next = take_first(queue);
    if (next == nullptr) {
        --queue.running;
        if (queue.width != nullptr) {
            sched::give_places(*queue.width, 1);
        }
    }
    return next;
}

// For a waiter of a group in a width_scope that does not use its place: a deferred task, perhaps
// because there was no place for it.
inline group_task* next_for_waiter(group_queue& queue) noexcept
{
    const std::scoped_lock hold(queue.lock);
    if (queue.running >= queue.most) {
        return nullptr;
    }
    group_task* const next = take_first(queue);
    if (next != nullptr) {
        ++queue.running;
    }
    return next;
}

inline void end_of_waiters(group_queue& queue) noexcept
{
    const std::scoped_lock hold(queue.lock);
    --queue.running;
}

}  // namespace artel::detail
