// A task of a group as its runners and its waiters know it. Inside src/capi only.
#pragma once

#include "capi/group_queue.hpp"

#include <artel/task_group.hpp>

namespace artel::detail {

// The run function of a group's task.
[[gnu::visibility("hidden")]] void run_group_task(void* carrier, base::work& self);

// Calls the function of a task of a group with limits, unless it is to be dropped.
void call_within(group_task& task, const group_queue& queue) noexcept;

// The group may be gone afterwards.
inline void finish(group_state& group) noexcept
{
    // release: what the task did is seen by whoever waits; acquire: so that the last one passes on
    // what the earlier ones released.
    if (group.pending.fetch_sub(2, std::memory_order_acq_rel) == 3) {
        wake_word(group.pending, wake_all);
    }
}

}  // namespace artel::detail
