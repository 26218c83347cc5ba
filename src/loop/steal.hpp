// Finding somebody else's iterations when the own ones have been run.
#pragma once

#include "loop/descriptor.hpp"

namespace artel::loop {

struct steal_target {
    unsigned victim = no_slot;  // whose units they are; no_slot: there are none left
    // already taken, if not empty: the share of a worker that did not come.
    unit_range units;
};

// Where there are units to be taken now. Shares that have been offered to workers which have not
// come yet are left alone for a short while, during which this spins; then the offer is withdrawn.
steal_target find_steal(descriptor& d, unsigned own) noexcept;

// Moves half of somebody's units, or the share of somebody who did not come, to the own, empty
// slot. False when there are none. What lies in a slot that nobody has, and is no more than
// `whole_up_to` units, is moved whole: dividing it would cost more than it could gain.
bool refill(descriptor& d, unsigned own, std::uint32_t whole_up_to) noexcept;

}  // namespace artel::loop
