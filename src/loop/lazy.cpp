// Lazy binary splitting (Tzannes, Caragea, Barua, Vishkin 2010): a participant has half of its units on offer; only when somebody has taken them does it
// split what is left once more, which it finds out by one look at its own slot after every `grain` iterations. A loop nobody has time for is so never
// split, and no clock is read. Unlike in the paper each participant begins with an equal share.
#include "loop/offering.hpp"

namespace artel::loop {
namespace {

void participate(descriptor& d, unsigned own, unit_range mine) noexcept
{
    const std::uint32_t grain = d.grain_units();
    if (mine.empty()) {
        mine = more_units(d, own);
    }
    while (!mine.empty()) {
        while (!mine.empty() && !d.stopped()) {
            offer_half(d, own, mine, grain);
            const std::uint32_t next = mine.size() > grain ? mine.first + grain : mine.last;
            d.run({mine.first, next}, own);
            mine.first = next;
        }
        mine = more_units(d, own);
    }
}

}  // namespace

constinit const algorithm lazy{.name = "lazy", .participate = participate, .whole_when_alone = false, .comes_and_goes = true};

}  // namespace artel::loop
