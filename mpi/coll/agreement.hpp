// Agreement between the ranks of a communicator, whose environments may differ: when it is set up,
// and whose settings count.
#pragma once

#include "coll/settings.hpp"

#include <cstdint>
#include <span>

namespace artel::coll {

struct bootstrap;

// After how many calls the communicator is set up. Rank 0's setting counts; rank 0 prints a line on
// stderr, once per process, if another rank's differs. `never` if the ranks could not be asked.
// Collective: all ranks call it at their first collective call on a communicator; it is the only
// exchange that every rank takes part in whatever its settings.
std::uint32_t agreed_setup_after(const bootstrap& b, const settings& own) noexcept;

inline constexpr std::uint32_t never = ~std::uint32_t{0};

// Describes where settings of other ranks differ from rank 0's, which count for all; "" if none
// differs. `all` is in the order of ranks.
std::string difference(std::span<const settings* const> all);

// Called by rank 0: writes difference() to stderr, once per process.
void tell_difference(std::span<const settings* const> all);

}  // namespace artel::coll
