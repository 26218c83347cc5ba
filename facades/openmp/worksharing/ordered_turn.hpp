// The order of ordered regions: pieces of a loop take turns in the order of their iterations
// (workshare_slot::turn and turn_words).
#pragma once

#include "team/worksharing_state.hpp"

namespace artel::openmp {

// Waits until every iteration before `low` has passed on its turn. May switch.
void await_turn(workshare_slot& slot, std::uint64_t low) noexcept;

// Passes the turn on to the piece that begins at `next`. Called only by the holder of the turn.
void pass_turn(workshare_slot& slot, std::uint64_t next) noexcept;

}  // namespace artel::openmp
