// Reaching those who take part in a loop.
//
// A worker that looks for work gets an offer of its own slot's share: it sees it while it searches
// or spins, and is woken if it sleeps. Those who got one pass the rest on, two each, so that n
// workers are reached in log n steps (not where workers share CPUs). Which slot is whose follows
// from the worker's number alone: repeated loops over the same data find it in the same caches. For
// slots whose workers are busy, one ticket is pushed as stealable work; whoever takes it takes part
// with a free slot, and pushes two more while slots are left. A busy crew so costs a loop one push
// and one pop.
#pragma once

#include "loop/descriptor.hpp"
#include "sched/crew.hpp"

namespace artel::loop {

// The slot in a loop of `slots` slots that belongs to the worker.
inline unsigned home_slot(const sched::worker& w, unsigned slots) noexcept
{
    return w.duty == sched::role::member && w.seat < slots ? w.seat : 0;
}

// Brings the lines of the first offers of a loop with so many slots on their way, while the loop is
// being set up.
void prepare_to_invite(sched::worker& here, unsigned slots) noexcept;

// Gives out the reserved slots [from, to): offers their shares to the workers they belong to, or
// lays them out for whoever comes. By who is responsible for them; `here` is its worker. `unknown`:
// nobody else knows the loop yet, not even a ticket; becomes false with the first offer.
void invite(descriptor& d, sched::worker& here, unsigned from, unsigned to, bool& unknown) noexcept;

// Pushes up to `tickets` (1 or 2) stealable tickets if there are slots that nobody has. Returns how
// many: the first is d.at(own).spread[0].
unsigned spread(descriptor& d, sched::worker& here, unsigned own, unsigned tickets) noexcept;

// For participants that come to have something for others again and again
// (algorithm::comes_and_goes): pushes a ticket if there is a slot that nobody has, unless the last
// one still lies in some queue. By the slot's owner.
void call_for_help(descriptor& d, unsigned own) noexcept;

// Lays out all slots, and addresses a ticket for each to workers that the loop's NUMA restriction
// allows, busy or not: for a caller that must not take part itself. All slots are reserved.
void send(descriptor& d, sched::worker& here) noexcept;

// Takes back the offer of slot i's share, and the responsibility for other slots that went with it.
// False when its worker has it. By a participant or the caller.
bool withdraw(descriptor& d, unsigned i, unit_range& share) noexcept;

// Takes back all offers, when there is nothing left to do for those who have not come.
void withdraw_all(descriptor& d) noexcept;

// Whether the offer of slot i's share still waits for its worker. A guess.
bool offer_waits(descriptor& d, unsigned i) noexcept;

}  // namespace artel::loop
