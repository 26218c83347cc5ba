// Offers in slots. A participant that finds none does not stay, because its worker may have other
// things to do; the next participant with something to offer pushes a ticket, with which another
// worker, or the same one, comes.
#include "loop/split_offers.hpp"

#include "base/cpu.hpp"
#include "loop/recruit.hpp"
#include "loop/steal.hpp"
#include "sched/crew.hpp"

namespace artel::loop {
namespace {

// Rounds of about 25 ns: a taken offer is replaced after the next piece, and coming again with a
// ticket takes longer than this.
constexpr unsigned spin_limit = base::modelled ? 1 : 32;

unit_range take_offer_of_another(descriptor& d, unsigned own) noexcept
{
    for (;;) {
        const steal_target p = find_steal(d, own);
        if (p.victim == no_slot) {
            return {};
        }
        const unit_range units = p.units.empty() ? d.claim_all(p.victim) : p.units;
        if (!units.empty()) {
            return units;
        }
    }
}

}  // namespace

bool offer_half(descriptor& d, unsigned own, unit_range& mine, std::uint32_t least) noexcept
{
    if (mine.size() / 2 < least || d.has_units(own)) {
        return false;
    }
    const std::uint32_t middle = mine.first + mine.size() / 2 + mine.size() % 2;
    d.put(own, {middle, mine.last});
    mine.last = middle;
    call_for_help(d, own);
    return true;
}

unit_range more_units(descriptor& d, unsigned own) noexcept
{
    unit_range units = d.claim_all(own);
    for (unsigned round = 0; units.empty() && !d.stopped(); ++round) {
        units = take_offer_of_another(d, own);
        const sched::worker& here = *sched::this_worker();
        if (!units.empty() || round >= spin_limit || here.own_crew.oversubscribed() ||
            here.has_work() || !d.others_at_work(own)) {
            break;
        }
        base::cpu_relax();
    }
    if (units.empty()) {
        d.give_up_slot(own);
    }
    return units;
}

}  // namespace artel::loop
