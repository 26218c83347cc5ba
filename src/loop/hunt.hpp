// Finding somebody else's iterations when the own ones have been run.
#pragma once

#include "loop/descriptor.hpp"

namespace artel::loop {

// A slot with units that may be taken now; no_slot when there are none in any. Slots of invited workers that have not arrived yet are left
// alone for a short while, during which this spins.
unsigned find_victim(descriptor& d, unsigned own) noexcept;

// Moves half of somebody's units to the own slot. False when there are none.
bool steal_from_anybody(descriptor& d, unsigned own) noexcept;

}  // namespace artel::loop
