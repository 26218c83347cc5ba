// Dynamic and guided loops whose members take several pieces at once (loop_batch.hpp). For loop.cpp
// only.
#pragma once

#include "team/team.hpp"
#include "team/worksharing_state.hpp"

namespace artel::openmp {

// Whether the slot's loop, whose bounds and chunk are set, is given out in batches from now on, as
// `kind`: it has enough pieces, and countable ones. By who opens the slot for a team of `size`
// members.
bool set_batched(workshare_slot& slot, loop_kind kind, unsigned size) noexcept;

// The member's next piece of such a loop, of its own batch, from the counter, or from another's
// batch; false when nobody has anything left.
bool take_batched(member& m, workshare_slot& slot, piece& taken) noexcept;

// For loops whose members take from each other, by a member that has found nothing: whether it gets
// the last unit, after which it must not ask again (batching::ended).
bool claim_last(workshare_slot& slot, batching& b) noexcept;

}  // namespace artel::openmp
