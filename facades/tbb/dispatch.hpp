// Running tasks.
#pragma once

#include "context.hpp"
#include "thread.hpp"

namespace artel::onetbb {

// Runs the task (nullptr: none), the tasks that it returns, and those that the thread has spawned,
// until there are none, or until `until` is done. Exceptions of tasks are kept in their contexts.
void work(thread& me, task* t, const abi::d1::wait_context* until) noexcept;

// Reports the thread's entry to observers that do not know of it. What one throws is kept as if the
// task, which the thread runs next, had thrown it.
void report_entry(thread& me, const task& before) noexcept;

// Puts the task into the context, and binds a new context to `parent` (nullptr: to none).
inline void make_part_of(abi::d1::task_group_context& c, task& t, std::intptr_t isolation,
                         abi::d1::task_group_context* parent, std::uint64_t fp_settings)
{
    t.context = &c;
    t.isolation = isolation;
    t.slots = abi::d1::no_slot;
    if (!is_bound(c)) [[unlikely]] {
        bind_slowly(c, parent, fp_settings);
    }
}

// The same for a task that the thread spawns: the parent is the context of the running task.
void prepare(thread& me, task& t, abi::d1::task_group_context& c) noexcept;

}  // namespace artel::onetbb
