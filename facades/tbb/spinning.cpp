// How long a thread that has found no task looks for one before it sleeps or leaves.
#include "arena.hpp"
#include "base/os/yield.hpp"
#include "control.hpp"
#include "sched/crew.hpp"
#include "sched/spin.hpp"

namespace artel::onetbb {
namespace {

// Of a thread that spins for tasks; a turn is some 20 ns.
constexpr unsigned eager_looks = 2;
constexpr unsigned turns_between_looks = 16;
// Of a worker that nobody has room for on the CPUs, before it leaves.
constexpr unsigned yields_beyond_width = 100;

}  // namespace

// `more`: it has ended before its time, for `until` is done, or the slot is wanted, or the caller
// must leave.
task* arena::spin_for_task(thread& me, const abi::d1::wait_context* until, bool& more) noexcept
{
    sched::worker* const w = sched::this_worker();
    more = w != nullptr && !w->has_work() && !sched::is_lodger(*w);
    task* found = nullptr;
    if (more) {
        sched::spin wait(*w, w->home.spin_cycles());
        for (unsigned turn = 0; more; ++turn) {
            // Not each time: whoever spawns tasks that it takes back at once would have to
            // fetch the lines that we look at.
            if (turn < eager_looks || turn % turns_between_looks == 0) {
                if (must_leave(me, until)) {
                    break;
                }
                found = me.look();
            }
            if (found != nullptr || slot_wanted() || (until != nullptr && until->done())) {
                break;
            }
            more = wait.pause() == sched::spin::advice::again && !w->has_work() &&
                   (until != nullptr || !another_asks());
        }
    }
    // More threads than the crew has were asked for: they wait for the program's next loop with
    // their places, and what is meant for them, as those of oneTBB do.
    for (unsigned k = 0;
         until == nullptr && found == nullptr && !slot_wanted() && w != nullptr &&
         k < yields_beyond_width && workers_beyond_width() && !w->has_work() && !another_asks();
         ++k) {
        base::os::yield();
        found = must_leave(me, until) ? nullptr : me.look();
    }
    return found;
}

}  // namespace artel::onetbb
