// An even split and no balancing: each share is run by one participant in one call of the body.
// Share i belongs to worker i, so that repeated loops find their data where they left them. Shares
// whose workers are busy elsewhere, or do not come in time, are run whole by participants that have
// finished theirs: in a crew that also does other things, no worker can be forced to come.
#include "loop/descriptor.hpp"
#include "loop/steal.hpp"

namespace artel::loop {
namespace {

void participate(descriptor& d, unsigned own, unit_range mine) noexcept
{
    unit_range units = mine.empty() ? d.claim_all(own) : mine;
    while (!d.stopped()) {
        if (!units.empty()) {
            d.run(units, own);
        }
        const steal_target p = find_steal(d, own);
        if (p.victim == no_slot) {
            return;
        }
        units = p.units.empty() ? d.claim_all(p.victim) : p.units;
    }
}

}  // namespace

constinit const algorithm static_{
    .name = "static", .participate = participate, .whole_when_alone = true};

}  // namespace artel::loop
