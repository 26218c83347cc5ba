// Pieces that get shorter towards the end: half of an equal share of what is left, at least
// `grain`, from one counter that all share. The counter is written some log(n) times per
// participant instead of n/grain times. Half, because whole shares, as libgomp takes them, leave
// most of the work to the first participant if the first iterations are the most expensive.
#include "loop/descriptor.hpp"
#include "loop/recruit.hpp"

namespace artel::loop {
namespace {

void participate(descriptor& d, unsigned own, unit_range) noexcept
{
    const unsigned parts = 2 * d.slots();
    for (unit_range units;
         !d.stopped() && !(units = d.take_part_of_common(parts, d.grain_units())).empty();) {
        d.run(units, own);
    }
    withdraw_all(d);  // workers that have not come yet need not
}

}  // namespace

constinit const algorithm guided{.name = "guided",
                                 .participate = participate,
                                 .whole_when_alone = true,
                                 .begins_with = layout::common};

}  // namespace artel::loop
