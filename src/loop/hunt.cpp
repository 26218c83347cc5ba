// The order in which participants look for iterations of others: from their own slot upwards, so that thieves spread, those who have arrived
// before those who are still expected.
#include "loop/hunt.hpp"

#include "base/cpu.hpp"
#include "sched/crew.hpp"

namespace artel::loop {
namespace {

// How long an invited worker is waited for, in rounds of about 25 ns: 1.5 us, ten times what one that spins needs.
constexpr unsigned hold = 60;

}  // namespace

unsigned find_victim(descriptor& d, unsigned own) noexcept
{
    const unsigned n = d.slots();
    const unsigned patience = sched::crew::get().oversubscribed() ? 0 : hold;
    for (unsigned round = 0;; ++round) {
        unsigned expected = no_slot;
        for (unsigned i = 1; i < n; ++i) {
            const unsigned at = own + i < n ? own + i : own + i - n;
            if (!d.has_units(at)) {
                continue;
            }
            slot& s = d.at(at);
            // relaxed (two): hints about who is coming; taking is by CAS.
            if (s.arrived.load(std::memory_order_relaxed) || !s.taken.load(std::memory_order_relaxed)) {
                return at;
            }
            expected = expected == no_slot ? at : expected;
        }
        if (expected == no_slot || round >= patience || d.stopped()) {
            return expected;
        }
        base::cpu_relax();
    }
}

bool steal_from_anybody(descriptor& d, unsigned own) noexcept
{
    for (;;) {
        const unsigned victim = find_victim(d, own);
        if (victim == no_slot) {
            return false;
        }
        if (d.steal_half(own, victim)) {
            return true;
        }
    }
}

}  // namespace artel::loop
