// The order in which participants look for iterations of others: from their own slot upwards, so
// that thieves spread; slots with units before those whose workers are still expected.
#include "loop/steal.hpp"

#include "base/cpu.hpp"
#include "loop/recruit.hpp"
#include "sched/crew.hpp"

#include <algorithm>
#include <atomic>

namespace artel::loop {
namespace {

// How long the share of a worker that has not come yet is left alone, in rounds of about 25 ns.
// Adapts between these bounds: doubled when the worker came in that time, halved when it did not (a
// preempted worker does not come for milliseconds).
constexpr unsigned least_spins = 1;
constexpr unsigned most_spins = 32;

// relaxed everywhere: an estimate that all loops of the process share; a lost update does no harm.
std::atomic<unsigned> usual_spins{most_spins};

void learn(unsigned spins, bool came) noexcept
{
    const unsigned better = came ? std::min(spins * 2, most_spins)
                                 : std::max(spins / 2, least_spins);
    if (better != spins) {
        usual_spins.store(better, std::memory_order_relaxed);  // relaxed: see the declaration
    }
}

}  // namespace

steal_target find_steal(descriptor& d, unsigned own) noexcept
{
    const unsigned n = d.slots();
    // relaxed: see the declaration.
    const unsigned spins = sched::crew::get().oversubscribed()
                               ? 0
                               : usual_spins.load(std::memory_order_relaxed);
    for (unsigned round = 0;; ++round) {
        unsigned expected = no_slot;
        for (unsigned i = 1; i < n; ++i) {
            const unsigned at = own + i < n ? own + i : own + i - n;
            if (d.has_units(at)) {
                return {at, {}};
            }
            if (expected == no_slot && offer_waits(d, at)) {
                expected = at;
            }
        }
        if (expected == no_slot || d.stopped()) {
            if (round != 0 && spins != 0) {
                learn(spins, true);
            }
            return {};
        }
        steal_target p{expected, {}};
        if (round >= spins && withdraw(d, expected, p.units)) {
            if (spins != 0) {
                learn(spins, false);
            }
            return p;
        }
        base::cpu_relax();
    }
}

bool refill(descriptor& d, unsigned own, std::uint32_t whole_up_to) noexcept
{
    for (;;) {
        const steal_target p = find_steal(d, own);
        if (p.victim == no_slot) {
            return false;
        }
        if (!p.units.empty()) {
            d.put(own, p.units);
            return true;
        }
        // The owner of a slot is at work in it: the last units are shared with it, so that both end
        // together.
        if (d.steal(own, p.victim, d.ownership_of(p.victim) == ownership::free ? whole_up_to : 1)) {
            return true;
        }
    }
}

}  // namespace artel::loop
