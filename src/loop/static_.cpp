// An even split and no balancing: each share is run by one participant in one call of the body. Share number i belongs to worker number i, so
// that repeated loops find their data where they left them. Shares whose workers are busy elsewhere, or do not come in time, are run
// whole by participants that have finished theirs: on a crew that also does other things, nobody can be made to come.
#include "loop/descriptor.hpp"
#include "loop/hunt.hpp"

namespace artel::loop {
namespace {

void participate(descriptor& d, unsigned own) noexcept
{
    for (unsigned from = own; from != no_slot && !d.stopped(); from = find_victim(d, own)) {
        if (const unit_range units = d.claim_all(from); !units.empty()) {
            d.run(units, own);
        }
    }
}

}  // namespace

constinit const algorithm static_{"static", participate, true};

}  // namespace artel::loop
