// sched_yield, as the drop-ins provide it to programs: code that waits for another light thread in
// a loop and yields in it thereby tells the scheduler that it waits. On a persona it lets the other
// light threads of this worker run first, so that such threads need no OS thread each; and the own
// stack of the program's thread that carries the persona gets its turn, too. Such a stack passes on
// the work that was posted to it: others carry that meanwhile.
//
// Calls that come from an allocator that yields, called by the runtime itself, end here as well
// (call_out.hpp): those only give the CPU away.
//
// A signal handler may call it, too, and may have interrupted the scheduler itself. While it runs
// its signal is blocked (unless with SA_NODEFER): a thread with another signal mask than the crew's
// only gives its CPU away.
#pragma once

#include "base/os/yield.hpp"
#include "sched/guest_scope.hpp"
#include "sched/suspend.hpp"

namespace artel::foreign {

inline bool let_others_go_on(const sched::worker& here) noexcept
{
    if (here.current->type == fiber::kind::persona) {
        return sched::yield_to_anybody();
    }
    return here.current->type == fiber::kind::bound && !sched::outside_scope(here) &&
           sched::yield();
}

// Switches.
inline void yield_for_program() noexcept
{
    // After this many rounds among the light threads of one worker, on average, other OS threads
    // get the CPU: the awaited light thread may be on one of them.
    constexpr unsigned rounds_between_turns = 4;
    const sched::worker* const w = sched::this_worker();
    if (w != nullptr && fiber::this_tls().calls_out == 0 && w->own_crew.usual_signal_mask(*w) &&
        let_others_go_on(*w) && sched::this_worker()->next_random() % rounds_between_turns != 0) {
        return;
    }
    base::os::yield();
}

}  // namespace artel::foreign
