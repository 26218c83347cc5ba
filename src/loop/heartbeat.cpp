// Heartbeat scheduling (Acar, Charguéraud, Guatto, Rainey, Sieczkowski 2018): the caller runs the
// loop as if it were alone; at every beat of a clock each participant with units left offers half
// of them. So sharing costs a fixed part of the time at most, a few hundredths here, however the
// loops are nested, and a loop shorter than a beat costs as much as a serial one. The price: n
// participants are at work only after log n beats.
//
// No signal and no timer thread: the clock is read between pieces of a measured length, a sixteenth
// to a quarter of a beat.
#include "loop/split_offers.hpp"

#include "base/cpu.hpp"

namespace artel::loop {
namespace {

// In cycles of base::cycles(), some 25 us: thirty times what another worker takes to come.
constexpr std::uint64_t beat = 60000;

void participate(descriptor& d, unsigned own, unit_range mine) noexcept
{
    const std::uint32_t least = d.grain_units();
    std::uint32_t piece = least;
    std::uint64_t before = base::cycles();
    std::uint64_t last_beat = before;
    if (mine.empty()) {
        mine = more_units(d, own);
    }
    while (!mine.empty()) {
        while (!mine.empty() && !d.stopped()) {
            const std::uint32_t ran = std::min(piece, mine.size());
            d.run({mine.first, mine.first + ran}, own);
            mine.first += ran;
            const std::uint64_t now = base::cycles();
            const std::uint64_t took = now - before;
            before = now;
            if (took < beat / 16 && ran == piece) {
                piece = piece < (1u << 28) ? piece * 2 : piece;
            } else if (took > beat / 4) {
                piece = std::max(least, piece / 2);
            }
            if (now - last_beat >= beat) {
                last_beat = now;
                offer_half(d, own, mine, least);
            }
        }
        mine = more_units(d, own);
        before = base::cycles();  // waiting is no work
    }
}

}  // namespace

constinit const algorithm heartbeat{.name = "heartbeat",
                                    .participate = participate,
                                    .whole_when_alone = true,
                                    .begins_with = layout::caller,
                                    .comes_and_goes = true};

}  // namespace artel::loop
