#include "loop/site.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace artel::loop {
namespace {

constexpr unsigned bits = 8;

constinit std::array<site, 1u << bits> sites;

}  // namespace

site& site::of(place_key place) noexcept
{
    site& entry = sites[(place * 0x9e3779b97f4a7c15) >> (64 - bits)];
    if (entry.place_.load(std::memory_order_relaxed) != place) [[unlikely]] {  // relaxed: see the header
        entry.place_.store(place, std::memory_order_relaxed);                  // relaxed: see the header
        entry.average.forget();
        entry.first.forget();
        entry.note_shared(false);
    }
    return entry;
}

void estimate::learn(std::uint64_t cycles, std::uint64_t iterations, std::uint32_t rise) noexcept
{
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    std::uint64_t found = cycles < most ? cycles * scale / iterations : cycles / iterations * scale;
    found = std::clamp<std::uint64_t>(found, 1, most);
    if (const std::uint64_t before = cost(); before != 0) {
        // All who read it hold the line; it is written only for a change that matters.
        if (found > before - before / 8 && found < before + before / 8) {
            return;
        }
        found = std::min(std::clamp(found, (before + 1) / 2, before * rise), most);
    }
    cost_.store(static_cast<std::uint32_t>(found), std::memory_order_relaxed);  // relaxed: see the header
}

}  // namespace artel::loop
