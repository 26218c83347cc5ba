// Dynamic and guided loops whose members take several pieces at once (loop_batch.hpp). For files of
// this folder only.
#pragma once

#include "team/team.hpp"
#include "team/worksharing_state.hpp"

namespace artel::openmp {

// Makes the slot's loop, whose bounds and chunk are set, a batched one of `kind`; false when it has
// too few pieces, too many, or too many members. Called by the opener, for a team of `size`
// members.
bool set_batched(workshare_slot& slot, loop_kind kind, unsigned size) noexcept;

// The member's next piece of such a loop: from its own batch, from the counter, or from another's
// batch; false when there is none.
bool take_batched(member& m, workshare_slot& slot, piece& taken) noexcept;

// For loops whose members steal from each other, by a member that has found nothing: whether it
// gets the last unit, after which it must not ask again (batching::ended).
bool claim_last(workshare_slot& slot, batching& b) noexcept;

}  // namespace artel::openmp
