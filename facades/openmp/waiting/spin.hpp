// Spinning before a suspension. It pays only for as long as a suspension and a wake-up cost, and
// only while the worker has nothing else to run.
#pragma once

#include "base/cpu.hpp"
#include "sched/worker.hpp"

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

}  // namespace artel::openmp
