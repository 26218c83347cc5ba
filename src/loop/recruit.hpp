// Finding the participants of a loop.
//
// A worker that looks for work gets an offer of its own slot's share: it sees it while it searches
// or spins, and is woken if it sleeps. An offer covers a third of the slots that are left, and its
// taker makes the offers for the others of that third, so that n workers are reached in O(log n)
// steps. Where workers share CPUs the caller makes all offers itself. The worker's number alone
// determines its slot: repeated loops over the same data find it in the same caches. For slots of
// busy workers one ticket is pushed as stealable work; its taker takes part with a free slot, and
// pushes two more while slots are left. So in a busy crew a loop costs one push and one pop.
#pragma once

#include "loop/descriptor.hpp"
#include "sched/crew.hpp"

namespace artel::loop {

// The slot in a loop of `slots` slots that belongs to the worker.
inline unsigned home_slot(const sched::worker& w, unsigned slots) noexcept
{
    return w.kind == sched::role::own && w.seat < slots ? w.seat : 0;
}

// Prefetches the lines of the first offers of a loop with so many slots, while the loop is set up.
void prepare_to_invite(sched::worker& here, unsigned slots) noexcept;

// Hands out all reserved slots but the caller's own: offers their shares to the workers they belong
// to, or frees them for any worker. Called by the loop's caller, before any other thread knows the
// loop; `here` is its worker.
void invite(descriptor& d, sched::worker& here, unsigned own) noexcept;

// Pushes up to `tickets` (1 or 2) stealable tickets if there are free slots. Returns how many: the
// first is d.at(own).spread[0].
unsigned spread(descriptor& d, sched::worker& here, unsigned own, unsigned tickets) noexcept;

// For participants that repeatedly have something for others (algorithm::comes_and_goes): pushes a
// ticket if there is a free slot, unless the last ticket is still queued. Called by the slot's
// owner.
void call_for_help(descriptor& d, unsigned own) noexcept;

// Frees all slots, and posts a ticket for each to workers that the loop's NUMA restriction allows,
// busy or not: for a caller that must not take part itself. All slots are reserved.
void send(descriptor& d, sched::worker& here) noexcept;

// Withdraws the offer of slot i's share, and the responsibility for other slots that went with it.
// False when its worker has it. Called by a participant or the caller.
bool withdraw(descriptor& d, unsigned i, unit_range& share) noexcept;

// Withdraws all offers, when there is nothing left to do for workers that have not come.
void withdraw_all(descriptor& d) noexcept;

// Whether the offer of slot i's share still waits for its worker. An estimate.
bool offer_waits(descriptor& d, unsigned i) noexcept;

}  // namespace artel::loop
