// Reaching those who take part in a loop.
//
// A worker that is idle gets an invitation to its own slot straight into its inbox: it looks there while it spins, and is woken if it sleeps. The
// invited pass the rest on, two each, so that n workers are reached in log n steps. Which slot is whose follows from the worker's number
// alone: repeated loops over the same data find it in the same caches. For slots whose worker is busy, one ticket is pushed as stealable
// work; whoever takes it takes part with a free slot, and pushes two more while slots are left. A busy crew so costs a loop one push and one pop.
#pragma once

#include "loop/descriptor.hpp"
#include "sched/worker.hpp"

namespace artel::loop {

// The slot in a loop of `slots` slots that belongs to the worker.
inline unsigned home_slot(const sched::worker& w, unsigned slots) noexcept
{
    return w.index < slots ? w.index : 0;
}

// Invites whoever is idle to slots [from, to). `here` is the caller's worker. The caller keeps a reference.
void invite(descriptor& d, sched::worker& here, unsigned from, unsigned to) noexcept;

// Pushes stealable tickets (one, or two) for the slots that nobody has. Returns how many were pushed: the first is d.at(own).spread[0].
unsigned spread(descriptor& d, sched::worker& here, unsigned own, unsigned tickets) noexcept;

// Addresses one ticket of slot `own` to each of up to `count` workers that the loop's NUMA restriction allows, busy or not: for a caller
// that must not take part itself. Returns whether anybody was found.
bool send(descriptor& d, sched::worker& here) noexcept;

}  // namespace artel::loop
