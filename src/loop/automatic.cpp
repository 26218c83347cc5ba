// The default: every participant starts with an equal share, runs it a grain at a time from the front, and when it is through takes the back
// half of somebody else's rest. No task is made for that; a share is one atomic word.
//
// The grain is measured: it grows as long as a call of the body takes less than `worthwhile`, and shrinks again when calls get long. A grain that
// is being run cannot be stolen, so it is also at most a quarter of what is left in the slot, unless all that is left is worth but two grains.
//
// A participant that finds nothing but the untouched shares of invited workers leaves them alone for `hold` before it takes from them: they
// usually begin within 0.2 us, and taking a share to pieces that its owner is about to touch would spoil the even split (the thesis's
// premature stealing). With more workers than CPUs nobody is waited for.
#include "loop/descriptor.hpp"
#include "loop/hunt.hpp"

#include "base/cpu.hpp"

namespace artel::loop {
namespace {

constexpr std::uint64_t
    worthwhile = 2000;  // cycles of a call against which the 15 ns of a claim and two clock readings do not count
constexpr std::uint64_t too_long = 20000;

void run_own(descriptor& d, unsigned own, std::uint32_t& grain) noexcept
{
    const std::uint32_t least = d.grain_units();
    std::uint64_t before = base::cycles();
    while (!d.stopped()) {
        const std::uint32_t left = d.units_in(own);
        // What is left and short is taken whole: nobody would gain by stealing it.
        const std::uint32_t most = left / 2 <= grain ? left : std::min(grain, left / 4);
        const unit_range units = d.claim(own, std::max(least, most));
        if (units.empty()) {
            return;
        }
        d.run(units, own);
        const std::uint64_t now = base::cycles();
        const std::uint64_t took = now - before;
        before = now;
        if (took < worthwhile / 4) {
            grain = grain < (1u << 28) ? grain * 4 : grain;
        } else if (took < worthwhile) {
            grain = grain < (1u << 28) ? grain * 2 : grain;
        } else if (took > too_long) {
            grain = std::max(least, grain / 2);
        }
    }
}

void participate(descriptor& d, unsigned own, unit_range mine) noexcept
{
    std::uint32_t grain = d.grain_units();
    if (!mine.empty() && !d.stopped()) {
        // The first grain at once, before the slot's line and the clock are touched: this is what the loop's start waits for.
        const std::uint32_t first = std::min(mine.size(), grain);
        if (mine.size() > first) {
            d.put(own, {mine.first + first, mine.last});
        }
        d.run({mine.first, mine.first + first}, own);
    }
    do {
        run_own(d, own, grain);
    } while (!d.stopped() && refill(d, own));
}

}  // namespace

constinit const algorithm automatic{"automatic", participate, true};

}  // namespace artel::loop
