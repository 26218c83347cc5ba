// How long a thread that has found no task looks for one before it sleeps or leaves.
#include "arena.hpp"
#include "base/os/yield.hpp"
#include "control.hpp"
#include "sched/crew.hpp"
#include "sched/spin.hpp"

namespace artel::onetbb {
namespace {

// While a thread spins for tasks; a turn takes about 20 ns.
constexpr unsigned eager_looks = 2;
constexpr unsigned turns_between_looks = 16;
// For a worker beyond the number of CPUs, before it leaves.
constexpr unsigned yields_beyond_width = 100;

}  // namespace

// `more`: spinning ended early, because `until` is done, the slot is wanted, or the caller must
// leave.
task* arena::spin_for_task(thread& me, const abi::d1::wait_context* until, bool& more) noexcept
{
    sched::worker* const w = sched::this_worker();
    more = w != nullptr && !w->has_work() && !sched::is_carried_by_guest(*w);
    task* found = nullptr;
    if (more) {
        sched::spin wait(*w, w->own_crew.spin_cycles());
        for (unsigned turn = 0; more; ++turn) {
            // Not in each turn: every look takes the cache lines from a thread that spawns tasks
            // and takes them back at once.
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
    // The program has asked for more threads than the crew has. They wait here for its next loop,
    // with their slots and the tasks that affinity sends there, as oneTBB's threads do.
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
