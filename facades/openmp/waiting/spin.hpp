// Spinning before a suspension. It pays only for as long as a suspension and a wake-up cost, and
// only while the worker has nothing else to run.
#pragma once

#include "base/cpu.hpp"
#include "sched/spin.hpp"
#include "sched/worker.hpp"

#include <algorithm>
#include <cstdint>

namespace artel::openmp {

// Spins until done() or for about a microsecond. Returns whether done() held. Does not switch.
template <typename Done>
bool spin_until(Done done) noexcept
{
    const sched::worker* const here = sched::this_worker();
    for (unsigned i = 0; i < 40; ++i) {
        if (done()) {
            return true;
        }
        if (here != nullptr && here->has_work()) {
            return false;
        }
        base::cpu_relax();
    }
    return false;
}

// Spins until done() or for `cycles` (member_spin()), at least about a microsecond, for a step that
// another member of the team takes. Where each member has a CPU to itself, the members hand the
// steps of a loop on without suspensions, which cost more than the steps. As spin_until, it ends
// when the worker has something else to run. `pauses`: of the processor, between two looks, in
// addition; for waits in which the other member goes on alone, and is slowed down by looks at the
// line that it writes. Returns whether done() held. Does not switch.
template <typename Done>
bool spin_for_members(Done done, std::uint64_t cycles, unsigned pauses = 0) noexcept
{
    sched::worker* const here = sched::this_worker();
    if (here == nullptr || sched::is_carried_by_guest(*here)) {
        return spin_until(done);
    }
    sched::spin wait(*here, std::max(cycles, base::cycles_per_microsecond()));
    do {
        if (done()) {
            return true;
        }
        if (here->has_work() || wait.others_have_tasks()) {
            return false;
        }
        for (unsigned i = 0; i < pauses; ++i) {
            base::cpu_relax();
        }
    } while (wait.pause() == sched::spin::advice::again);
    return done();
}

}  // namespace artel::openmp
