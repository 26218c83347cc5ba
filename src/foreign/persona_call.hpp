// The crew's light threads: those of the C++ interface, and all code on a worker's stack, such as
// the body of one of our loops. They may continue on another OS thread after a wait, so they cannot
// keep thread-local data. A facade that calls code of a program that may rely on such data lets a
// persona make the call while the light thread is suspended.
#pragma once

#include "sched/worker.hpp"

namespace artel::foreign {

// Whether the caller is one. While it is isolated (sched/isolation.hpp) it stays on its OS thread.
// Units of streams count, too.
inline bool may_move() noexcept
{
    const sched::worker* const w = sched::this_worker();
    return w != nullptr && w->current->type == fiber::kind::plain && w->current->isolated == 0;
}

// Suspends the caller, which may move, until it is made ready, and starts `persona`, which belongs
// to the caller and has its assignment. `caller` is set before that. Switches.
void leave_to_persona(fiber::fiber& persona, fiber::fiber*& caller) noexcept;

}  // namespace artel::foreign
