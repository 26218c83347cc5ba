// What the ranks of a communicator agree on because each has read an environment of its own: when
// it is set up, and whose settings count.
#pragma once

#include "coll/settings.hpp"

#include <cstdint>
#include <span>

namespace artel::coll {

struct bootstrap;

// Collective: all ranks call it at their first collective call on a communicator, the one call
// that all of them surely make, whatever they have been told. After how many calls the communicator
// is set up: what rank 0 says, which tells on stderr, once per process, if another rank says
// something else. Never, if the ranks could not be asked.
std::uint32_t agreed_setup_after(const bootstrap& b, const settings& own) noexcept;

inline constexpr std::uint32_t never = ~std::uint32_t{0};

// The first rank's settings count for all. What there is to tell when those of another rank differ,
// of each rank in the order of ranks; "" if nothing.
std::string difference(std::span<const settings* const> all);

// By rank 0: tells it on stderr, once per process.
void tell_difference(std::span<const settings* const> all);

}  // namespace artel::coll
