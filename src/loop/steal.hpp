// Finding another participant's iterations when the own ones have been run.
#pragma once

#include "loop/descriptor.hpp"

namespace artel::loop {

struct steal_target {
    unsigned victim = no_slot;  // the slot that has units; no_slot: there are none left
    // already taken, if not empty: the share of a worker that did not come.
    unit_range units;
};

// Finds units that may be taken now. Shares that have been offered to workers which have not come
// yet are left alone for a short while, during which this spins; then the offer is withdrawn.
steal_target find_steal(descriptor& d, unsigned own) noexcept;

// Moves half of another's units, or the share of a worker that did not come, to the own, empty
// slot. False when there are none. Units in a free slot, if at most `whole_up_to`, are moved whole:
// splitting them would cost more than it could gain.
bool refill(descriptor& d, unsigned own, std::uint32_t whole_up_to) noexcept;

}  // namespace artel::loop
