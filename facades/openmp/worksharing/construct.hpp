// Entering and leaving a worksharing construct that has a slot (team/worksharing_state.hpp). For
// files of this folder and for task reductions.
#pragma once

#include "team/team.hpp"
#include "team/worksharing_state.hpp"

namespace artel::openmp {

// Called by the master before a region of `t` starts and before its team_setup runs; t.size and
// t.members are set. Positions belong to the team: a member that moves to another team needs a
// fresh one.
void begin_region(team& t) noexcept;

// Called by every member, the master included, before it runs the region's function.
void enter_region(member& m) noexcept;

// The slow path of meet(): waits until the construct is open, or may be opened in its place in the
// ring. If others are too late for that, takes a detour. Returns true when the caller is to open
// the slot that its position now has.
bool claim_slot(member& m, std::uint64_t number) noexcept;

// Frees what the slot's last construct has allocated.
void clear_slot(workshare_slot& slot) noexcept;

// Enters the next construct of m's team, which has more than one member. The first member to come
// calls open(slot) before the others see the slot; returns whether that was the caller. Waits a
// moment in the rare case that a member is `ring` constructs behind.
template <typename Open>
bool meet(member& m, Open&& open)
{
    worksharing_position& p = m.position;
    const std::uint64_t number = p.met++;
    p.current = &m.in->worksharing.slots[number % worksharing_state::ring];
    base::prefetch_for_writing(p.current);
    // acquire: pairs with the release below, so the opener's fields are seen.
    if (p.current->stage.load(std::memory_order_acquire) == 2 * number + 2 ||
        !claim_slot(m, number)) {
        return false;
    }
    workshare_slot& slot = *p.current;
    clear_slot(slot);
    open(slot);
    // release: publishes the fields to the acquire above and in claim_slot.
    slot.stage.store(2 * number + 2, std::memory_order_release);
    return true;
}

// Enters a single construct: true for the member that executes it.
inline bool claim_single(member& m) noexcept
{
    if (m.in->size == 1) {
        return true;
    }
    std::atomic<std::uint32_t>& claimed = m.in->worksharing.singles;
    std::uint32_t mine = m.position.singles++;
    // relaxed: only the winner matters; the data is ordered by the barrier at the end of the
    // construct. A member that finds the count beyond its own construct is late.
    return claimed.load(std::memory_order_relaxed) == mine &&
           claimed.compare_exchange_strong(mine, mine + 1, std::memory_order_relaxed);
}

// Leaves the construct; the member will not touch the slot again.
inline void leave(member& m) noexcept
{
    worksharing_position& p = m.position;
    // release: pairs with the acquire in claim_slot, so that our last use of the slot precedes its
    // next life.
    p.passed.store(p.met, std::memory_order_release);
}

}  // namespace artel::openmp
