// Names of libc that the drop-in takes over.
//
// sched_yield: code that waits for another member in a loop and yields in it (OpenBLAS's level-3
// jobs, many hand-written barriers) says by that what the scheduler needs to know. On a member of a
// team it lets the other light threads of this worker go first, so that such members need no OS
// thread each. A master on a thread of the program's own passes on what was posted to it: others
// carry that meanwhile.
//
// The runtime's own calls of an allocator that yields end here as well (call_out.hpp): those only
// give the CPU away.
//
// A signal handler may call it too, and may have interrupted the scheduler itself. While it runs
// its signal is blocked (unless SA_NODEFER was asked for): a thread with another signal mask than
// the crew's only gives its CPU away.
#include "base/os/yield.hpp"
#include "sched/guest_scope.hpp"
#include "sched/suspend.hpp"

namespace {

using namespace artel;

bool let_others_go_on(const sched::worker& here) noexcept
{
    if (here.current->type == fiber::kind::persona) {
        return sched::yield_to_anybody();
    }
    return here.current->type == fiber::kind::bound && !sched::outside_scope(here) &&
           sched::yield();
}

// After so many rounds among the light threads of one worker, on average, other OS threads get a
// turn: the one waited for may be on one of them.
constexpr unsigned rounds_between_turns = 4;

}  // namespace

extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept
{
    const sched::worker* const w = sched::this_worker();
    if (w != nullptr && fiber::this_tls().calls_out == 0 && w->home.usual_signal_mask(*w) &&
        let_others_go_on(*w) && sched::this_worker()->next_random() % rounds_between_turns != 0) {
        return 0;
    }
    base::os::yield();
    return 0;
}
