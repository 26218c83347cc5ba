// A task of a group, as seen by runners and waiters. Inside src/capi only.
#pragma once

#include "capi/group_queue.hpp"

#include <artel/task_group.hpp>

namespace artel::detail {

// The run function of a group's task.
[[gnu::visibility("hidden")]] void run_group_task(void* carrier, base::work& self);

// Calls the function of a task of a group with limits, unless it is to be dropped.
void call_within(group_task& task, const group_queue& queue) noexcept;

// The group may no longer exist afterwards.
inline void finish(group_state& group) noexcept
{
    // release: waiters see what the task did; acquire: so that the last one also passes on the
    // others.
    if (group.pending.fetch_sub(2, std::memory_order_acq_rel) == 3) {
        wake_word(group.pending, wake_all);
    }
}

}  // namespace artel::detail
