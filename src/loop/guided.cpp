// Pieces that get shorter towards the end: half of an equal share of what is left, not less than
// `grain`, from one counter that all share. The counter is written some log(n) times per
// participant instead of n/grain times. Half, because whole shares, as libgomp takes them, leave
// the loop to the first participant where the first iterations are the dearest.
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
    withdraw_all(d);  // those who have not come yet need not
}

}  // namespace

constinit const algorithm guided{.name = "guided",
                                 .participate = participate,
                                 .whole_when_alone = true,
                                 .begins_with = layout::common};

}  // namespace artel::loop
