// Running a task, by its creator or by a member that waits.
#pragma once

#include "task.hpp"
#include "team.hpp"

#include <cstdlib>

namespace cp {

inline void lists_without(task* t)
{
    team& of = *t->of;
    // relaxed: under the lock; readers without the lock check again.
    of.ready_tasks.remove(t);
    of.ready.fetch_sub(1, std::memory_order_relaxed);
    t->parent->ready_list.remove(t);
    t->parent->ready_children.fetch_sub(1, std::memory_order_relaxed);
    if (t->group != nullptr) {
        t->group->ready_list.remove(t);
        t->group->ready.fetch_sub(1, std::memory_order_relaxed);
    }
    t->queued = false;
}

inline bool is_cancelled(const task* t)
{
    const task_group* const group = cancellable(t->group);
    // relaxed: a member that does not see it yet executes a little more.
    return t->of->cancelled.load(std::memory_order_relaxed) ||
           (group != nullptr && group->cancelled.load(std::memory_order_relaxed));
}

inline void destroy(task* t)
{
    void* const memory = t;
    t->~task();
    std::free(memory);
}

// Executes the body, and completes the task unless its event is still missing.
inline void execute(thread& me, task* t)
{
    task* const before = me.now;
    me.now = t;
    if (!is_cancelled(t)) {
        t->body(t->frame);
    }
    me.now = before;
    // acq_rel: the second of the two completes it and sees what the first has done.
    if (t->to_come.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        complete(t);
    }
}

// Called with the lock held; it is released while the task runs.
inline void run(thread& me, task* t)
{
    lists_without(t);
    me.group->lock.unlock();
    execute(me, t);
    me.group->lock.lock();
}

// Waits until the dependences of the task are satisfied, and executes other children of the caller
// meanwhile.
void wait_for_missing(thread& me, task* t);

}  // namespace cp
