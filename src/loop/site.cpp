// How an estimate follows measurements: within limits per loop, and without a write while the
// change is small.
#include "loop/site.hpp"

#include <algorithm>
#include <limits>

namespace artel::loop {
constinit std::array<site, 1u << site::bits> site::all;

void site::take_over(site_key key) noexcept
{
    key_.store(key, std::memory_order_relaxed);  // relaxed: see the header
    average.forget();
    first.forget();
    note_shared(false);
    note_varying(false);
}

void estimate::learn(std::uint64_t cycles, std::uint64_t iterations, std::uint32_t rise) noexcept
{
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    std::uint64_t found = cycles < most ? cycles * scale / iterations : cycles / iterations * scale;
    found = std::clamp<std::uint64_t>(found, 1, most);
    if (const std::uint64_t before = cost(); before != 0) {
        // All readers hold the cache line, so only a change that matters is written.
        if (found > before - before / 8 && found < before + before / 8) {
            return;
        }
        found = std::min(std::clamp(found, (before + 1) / 2, before * rise), most);
    }
    // relaxed: see the header.
    cost_.store(static_cast<std::uint32_t>(found), std::memory_order_relaxed);
}

}  // namespace artel::loop
