// Tasks that nobody comes for. When a task is queued and no worker is idle, no sleeping member is
// woken for it (call_helpers): as a rule the member that queued the task, or one that finishes its
// own part, runs it soon, and waking costs more than it gains. When a worker is idle a member is
// woken, but its OS thread may be busy with another one. And a member may wait for its task in a
// loop of the program's, without a scheduling point, as under a runtime where other threads take
// it. So teams with queued tasks are noted, and the progress monitor looks at them: it wakes a
// sleeping member of a team in which queued tasks have not moved for some ticks.
#pragma once

#include "team/team.hpp"

#include <atomic>

namespace artel::openmp {

// The rare path of watch_tasks().
[[gnu::cold]] void start_to_watch(team& t) noexcept;

// Called by a member or outsider of the region that has queued a task, after a full fence.
inline void watch_tasks(team& t) noexcept
{
    // relaxed: ordered by the caller's fence, which pairs with the one in look_at_tasks().
    if (!t.tasking.watched.load(std::memory_order_relaxed)) {
        start_to_watch(t);
    }
}

// The rare path of end_watch().
[[gnu::cold]] void stop_to_watch(team& t) noexcept;

// Called when all tasks of the region are complete, before the team is set up anew or freed. May
// wait until the monitor has looked at all watched teams.
inline void end_watch(team& t) noexcept
{
    // relaxed: whoever queued tasks did so before the region ended.
    if (t.tasking.was_watched.load(std::memory_order_relaxed)) [[unlikely]] {
        stop_to_watch(t);
    }
}

}  // namespace artel::openmp
