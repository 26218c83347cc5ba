// Polls: pauses at first, then lets other light threads run, and gives the CPU away where there are
// none.
#include "wait_until.hpp"

#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"

namespace artel::openmp {

void wait_until(bool (*predicate)(void*), void* argument) noexcept
{
    for (unsigned i = 0; !predicate(argument); ++i) {
        if (i < 64) {
            base::cpu_relax();
        } else if (!sched::yield()) {
            base::os::yield();
        }
    }
}

}  // namespace artel::openmp
