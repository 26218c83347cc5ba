// What a guest does with personas that it may not carry, and how it waits meanwhile.
#include "sched/program_regions.hpp"

#include "sched/spin.hpp"

namespace artel::sched {

constinit std::atomic<unsigned> program_regions{0};

bool leave_to_others(worker& w, base::work& item) noexcept
{
    w.met_others = true;
    return post_to_own_worker(w.own_crew, item);
}

void stand_aside(worker& w, bool owing, std::uint64_t spin_cycles) noexcept
{
    if (owing) {
        w.own_crew.notify(&w);
    }
    w.own_crew.guest_ends(w);
    spin wait(w, spin_cycles);
    while (!w.offers.waits() && !w.has_work() && !w.bed.try_consume()) {
        if (wait.pause() == spin::advice::again) {
            continue;
        }
        if (w.bed.prepare()) {
            if (w.has_work() || w.offers.waits()) {
                w.bed.cancel();
            } else {
                w.sleeps.add();
                w.bed.commit();
            }
        }
        break;
    }
    w.own_crew.guest_begins(w);
}

}  // namespace artel::sched
