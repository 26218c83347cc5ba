// Waiting while running tasks: shared by waits for tasks and the barriers of a team.
#pragma once

#include "task_depend.hpp"
#include "tasks.hpp"

namespace artel::openmp {

// Runs a task that was taken from a deque, or was never queued, on the caller's stack. Always true.
// May switch.
bool run_task(member& m, task& what) noexcept;

// The same for taskyield, below which a task waits that could go on: of an untied task that comes
// in parts only the next one is run, and what is left of it is queued, for any member. `shared`:
// the task comes from the team's shared queue, and goes back there: in our deque it could hide
// tasks that the one below waits for. May switch.
void give_turn(member& m, task& what, bool shared) noexcept;

// Takes any task of the team, own or stolen; nullptr when none was found.
task* any_task(member& m) noexcept;

// Runs tasks until the field `mask` of of.counts is zero. `flag`, in the same word, asks the thread
// that brings it to zero to wake us. May switch.
void wait_for_count(member& m, task& of, std::uint64_t mask, std::uint64_t flag);

// For members that wait in a barrier: runs one task of the team, own or stolen; false when none was
// found. May switch.
inline bool help_with_tasks(member& m)
{
    task* const found = any_task(m);
    return found != nullptr && run_task(m, *found);
}

// For barriers: runs tasks of the team until everything below this member's implicit task is
// complete. May switch.
inline void complete_own_tasks(member& m)
{
    // relaxed: only tasks of our own matter, and we set the flag ourselves before we queue one.
    if (m.in->tasking.used.load(std::memory_order_relaxed) || m.in->size == 1) {
        wait_for_count(m, m.implicit, task::parts_mask, task::waits_for_parts);
    }
    if (m.implicit.dependences != nullptr) [[unlikely]] {
        drop_table(m.implicit);
    }
}

}  // namespace artel::openmp
