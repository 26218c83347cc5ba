// The default: every participant starts with an equal share, runs it a grain at a time from the
// front, and when it has finished steals the back half of another's rest. No task is made for that;
// a share is one atomic word.
//
// The grain is measured: it starts with the size of a first piece that the call site's memory
// suggests (site.hpp), grows as long as a call of the body takes less than `worthwhile`, and
// shrinks again when calls get long. A grain that is being run cannot be stolen, so it is also at
// most a quarter of what is left in the slot, unless all that is left is worth two grains at most.
//
// A participant that finds only the untouched shares of invited workers leaves them alone for a
// short while (steal.cpp) before it takes one: the workers usually begin within 0.2 us, and to
// split a share that its owner is about to touch would spoil the even split (the thesis's premature
// stealing). With more workers than CPUs it does not wait.
#include "loop/descriptor.hpp"
#include "loop/steal.hpp"

#include "base/cpu.hpp"

namespace artel::loop {
namespace {

// Cycles of a call against which the 15 ns of a claim and two clock readings do not count.
constexpr std::uint64_t worthwhile = 2000;
constexpr std::uint64_t too_long = 20000;

// What a participant has run, for the call site's memory.
struct account {
    std::uint64_t cycles = 0;
    std::uint64_t iterations = 0;
};

// The number of units to take from a slot at once. A short rest is taken whole: nobody would gain
// by stealing it.
std::uint32_t piece(std::uint32_t left, std::uint32_t grain, std::uint32_t least) noexcept
{
    return std::max(least, left / 2 <= grain ? left : std::min(grain, left / 4));
}

// The new grain after `ran` units took `took` cycles. A piece shorter than the grain, from the end
// of a slot, does not lengthen it.
std::uint32_t adapted(std::uint32_t grain, std::uint32_t ran, std::uint64_t took,
                      std::uint32_t least) noexcept
{
    if (took < worthwhile / 4) {
        return std::max(grain, ran < (1u << 28) ? ran * 4 : ran);
    }
    if (took < worthwhile) {
        return std::max(grain, ran < (1u << 28) ? ran * 2 : ran);
    }
    return took > too_long ? std::max(least, ran / 2) : grain;
}

// `before`: the clock when the previous piece ended.
void run_own(descriptor& d, unsigned own, std::uint32_t& grain, std::uint64_t before,
             account& all) noexcept
{
    const std::uint32_t least = d.grain_units();
    while (!d.stopped()) {
        const unit_range units = d.claim(own, piece(d.units_in(own), grain, least));
        if (units.empty()) {
            return;
        }
        d.run(units, own);
        const std::uint64_t now = base::cycles();
        const std::uint64_t took = now - before;
        before = now;
        all.cycles += took;
        all.iterations += d.iterations_in(units);
        grain = adapted(grain, units.size(), took, least);
    }
}

// Runs the first piece of the share at once, before the slot's line is touched: the start of the
// loop waits for this. Sets the grain for what follows.
account begin(descriptor& d, unsigned own, unit_range mine, std::uint32_t& grain)
{
    const std::uint32_t least = d.grain_units();
    if (mine.size() == 1) {
        // The call site's memory would change nothing, and others may be writing it.
        grain = least;
        d.run(mine, own);
        return {};
    }
    grain = d.first_units(2 * worthwhile);
    if (mine.empty()) {
        return {};
    }
    const std::uint32_t first = std::min(mine.size(), piece(mine.size(), grain, least));
    if (mine.size() > first) {
        d.put(own, {mine.first + first, mine.last});
    }
    const unit_range units{mine.first, mine.first + first};
    const std::uint64_t start = base::cycles();
    d.run(units, own);
    const account done{base::cycles() - start, d.iterations_in(units)};
    if (d.memory() == nullptr) {
        // nothing is remembered
    } else if (d.is_callers(own)) {
        d.memory()->first.learn(done.cycles, done.iterations);
    } else {
        d.memory()->first.learn_if_dearer(done.cycles, done.iterations);
    }
    grain = adapted(grain, first, done.cycles, least);
    return done;
}

void participate(descriptor& d, unsigned own, unit_range mine) noexcept
{
    std::uint32_t grain = d.grain_units();
    account all;
    if (!d.stopped()) {
        all = begin(d, own, mine, grain);
    }
    std::uint64_t now = base::cycles();
    for (;;) {
        run_own(d, own, grain, now, all);
        if (d.stopped() || !refill(d, own, grain)) {
            break;
        }
        now = base::cycles();
    }
    if (d.memory() != nullptr && all.iterations != 0) {
        d.memory()->average.learn_at_most(all.cycles, all.iterations);
    }
}

}  // namespace

constinit const algorithm automatic{
    .name = "automatic", .participate = participate, .whole_when_alone = true, .learns = true};

}  // namespace artel::loop
