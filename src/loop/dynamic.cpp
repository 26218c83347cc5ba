// Exactly `grain` iterations at a time, from one counter that all share, in ascending order:
// OpenMP's schedule(monotonic:dynamic, grain). Each participant takes the next piece, so the loop
// ends evenly whatever the iterations cost; the price is a cache line that moves for each piece.
// Without a grain there are 32 pieces for each participant, few enough for that price and enough
// for rows of very different lengths.
#include "loop/descriptor.hpp"
#include "loop/recruit.hpp"

namespace artel::loop {
namespace {

void participate(descriptor& d, unsigned own, unit_range) noexcept
{
    for (unit_range units; !d.stopped() && !(units = d.take_common(d.grain_units())).empty();) {
        d.run(units, own);
    }
    withdraw_all(d);  // workers that have not come yet need not
}

}  // namespace

constinit const algorithm dynamic{.name = "dynamic",
                                  .participate = participate,
                                  .whole_when_alone = false,
                                  .begins_with = layout::common,
                                  .default_pieces = 32};

}  // namespace artel::loop
