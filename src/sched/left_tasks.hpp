// In a crew of one thread: tasks of groups that an external thread makes outside of all constructs.
// Who asks for one thread gets one, so these wake nobody: they are left to whoever waits, which is
// usually their maker, in a moment. But it may as well be away: it polls a flag that the task sets,
// or is blocked in a future. So the monitor looks at each tick (monitor.cpp), and wakes one of the
// crew's own threads when a guest lets its oldest task lie and meanwhile
// - is blocked in the kernel at two ticks in a row, or has used the CPU for `patience`, and neither
//   made a further task nor waited for a group, or
// - has done that for `longest`, whatever else it did.
// Such a guest relies on others, and what it makes next wakes one at once; until it comes to wait
// for a group and nobody has come for its tasks. In between there are guests that make and wait for
// other groups all the time, as the outermost call of a recursion does: after `old` they run the
// oldest task themselves, where they wait, on a context of its own.
//
// Rejected: running the task where it is made. Its maker may hold a lock that it wants, or be about
// to set what it polls. And starting the look at each task by an alarm: its thread would have to be
// told each time.
#pragma once

#include "sched/guest_scope.hpp"

#include <cstdint>

namespace artel::sched {

// Pushes a group's task that is made outside of all constructs or in a width_scope: the first kind
// is left to whoever waits, if the crew has one thread. `w` is this_worker().
void push_from_apart(worker& w, base::work& item) noexcept;

// What the monitor remembers of a guest's oldest task. In ticks, and CPU time in ns.
struct left_task {
    std::int64_t oldest = 0;
    std::uint64_t comings = 0;
    std::uint64_t cpu = 0;       // at the last coming
    std::uint64_t last_cpu = 0;  // at the last look
    unsigned ticks = 0;          // since it was first seen; 0: there is none
    bool blocked = false;        // at the last look
};

// By an external thread that begins to wait for a group, outside of all other constructs.
void comes_to_wait() noexcept;

// By the same at the end of the wait: runs its oldest task if the monitor says so. May switch.
void run_old_task() noexcept;

}  // namespace artel::sched
