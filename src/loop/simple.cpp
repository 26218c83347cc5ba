// Exactly `grain` iterations in each call of the body (the last of a share may have fewer): for
// bodies whose cost is known, and as the thesis's "simple" variant, tasks of one iteration. Shares
// are balanced as by the automatic algorithm, by taking halves.
#include "loop/descriptor.hpp"
#include "loop/steal.hpp"

namespace artel::loop {
namespace {

void participate(descriptor& d, unsigned own, unit_range mine) noexcept
{
    if (!mine.empty() && !d.stopped()) {
        const std::uint32_t first = std::min(mine.size(), d.grain_units());
        if (mine.size() > first) {
            d.put(own, {mine.first + first, mine.last});
        }
        d.run({mine.first, mine.first + first}, own);
    }
    do {
        for (unit_range units; !d.stopped() && !(units = d.claim(own, d.grain_units())).empty();) {
            d.run(units, own);
        }
    } while (!d.stopped() && refill(d, own, 1));
}

}  // namespace

constinit const algorithm simple{
    .name = "simple", .participate = participate, .whole_when_alone = false};

}  // namespace artel::loop
