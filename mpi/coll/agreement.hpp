// What the ranks of a communicator agree on because each has read an environment of its own: when
// it is set up, and whose settings count.
#pragma once

#include "coll/settings.hpp"

#include <cstdint>
#include <span>

namespace artel::coll {

struct bootstrap;

// After how many calls the communicator is set up. Rank 0's setting holds; rank 0 tells on stderr,
// once per process, when another rank has a different one. `never` when the ranks could not be
// asked. Collective: all ranks call it at their first collective call on a communicator, because
// that is the only call which every rank makes whatever its settings are.
std::uint32_t agreed_setup_after(const bootstrap& b, const settings& own) noexcept;

inline constexpr std::uint32_t never = ~std::uint32_t{0};

// The text that says where settings of other ranks differ from rank 0's, which hold for all; ""
// when none differs. `all` is in the order of ranks.
std::string difference(std::span<const settings* const> all);

// Called by rank 0: writes difference() to stderr, once per process.
void tell_difference(std::span<const settings* const> all);

}  // namespace artel::coll
