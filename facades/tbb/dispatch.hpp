// Running tasks.
#pragma once

#include "context.hpp"
#include "thread.hpp"

namespace artel::onetbb {

// Runs a task of the thread's arena (nullptr: none), what it leads to, and what the thread has
// spawned: until that is done, or `until` is. Exceptions of tasks are kept in their context.
void work(thread& me, task* t, const abi::d1::wait_context* until) noexcept;

// Makes the task one of the context, which is bound to `parent` (nullptr: to none) if it is new.
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

// The same for a task that the thread makes, after the running one.
void prepare(thread& me, task& t, abi::d1::task_group_context& c) noexcept;

}  // namespace artel::onetbb
