// Lazy binary splitting (Tzannes, Caragea, Barua, Vishkin 2010): a participant has half of its
// units on offer; only when they have been taken does it split the rest once more. So a loop for
// which no worker is free is never split, and no clock is read. Unlike in the paper each
// participant begins with an equal share, and it checks its offer after pieces that double as long
// as the offer is not taken: from `grain` iterations to a sixteenth of what is left, so that a
// participant that has finished waits for a sixteenth of a share at most. (Checks after each light
// iteration: docs/decisions/0007.)
#include "loop/split_offers.hpp"

#include <algorithm>

namespace artel::loop {
namespace {

void participate(descriptor& d, unsigned own, unit_range mine) noexcept
{
    const std::uint32_t grain = d.grain_units();
    if (mine.empty()) {
        mine = more_units(d, own);
    }
    while (!mine.empty()) {
        for (std::uint32_t piece = grain; !mine.empty() && !d.stopped();) {
            piece = offer_half(d, own, mine, grain)
                        ? grain
                        : std::max(grain, std::min(std::max(piece, piece * 2), mine.size() / 16));
            const std::uint32_t next = mine.size() > piece ? mine.first + piece : mine.last;
            d.run({mine.first, next}, own);
            mine.first = next;
        }
        mine = more_units(d, own);
    }
}

}  // namespace

constinit const algorithm lazy{
    .name = "lazy", .participate = participate, .whole_when_alone = false, .comes_and_goes = true};

}  // namespace artel::loop
