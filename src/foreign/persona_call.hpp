// Light threads of the crew's own: those of the C++ interface, and whatever runs on a worker's
// stack, such as the body of a loop of ours. They may go on on another OS thread after a wait, so
// what is thread-local is not theirs to keep. A facade that calls a program's code, which may rely
// on such data, lets a persona make the call while the light thread is suspended.
#pragma once

#include "sched/worker.hpp"

namespace artel::foreign {

// Whether the caller is one. While it is isolated (sched/isolation.hpp) it stays where it is.
// Units of streams count, too.
inline bool may_move() noexcept
{
    const sched::worker* const w = sched::this_worker();
    return w != nullptr && w->current->type == fiber::kind::plain && w->current->isolated == 0;
}

// Suspends the caller, which may move, until somebody makes it ready, and lets `persona`, which is
// the caller's and has its assignment, begin. `caller` is set before that. Switches.
void leave_to_persona(fiber::fiber& persona, fiber::fiber*& caller) noexcept;

}  // namespace artel::foreign
