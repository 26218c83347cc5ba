// Running tasks.
#pragma once

#include "thread.hpp"

namespace artel::onetbb {

// Runs a task of the thread's arena (nullptr: none), what it leads to, and what the thread has
// spawned: until that is done, or `until` is. Exceptions of tasks are kept in their context.
void work(thread& me, task* t, const abi::d1::wait_context* until) noexcept;

// Makes the task one of the context, which is bound to that of the running task if it is new.
void prepare(thread& me, task& t, abi::d1::task_group_context& c) noexcept;

}  // namespace artel::onetbb
