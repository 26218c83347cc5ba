// The scheduling loop: what a worker's OS thread runs when it carries no light thread. Inside
// src/sched only.
#pragma once

#include "sched/worker.hpp"

namespace artel::sched {

// The body of a worker's OS thread. Returns when that thread is to end: in a reserve that the
// monitor retires, or in a worker that was sent away.
void run_worker(worker& w) noexcept;

// The run function of a fiber in a queue: leaves the scheduling loop for it.
void run_fiber(void* here, base::work& self);

// Whether an item of a queue of ready work is a persona, which runs foreign code.
bool is_persona(const base::work& item) noexcept;

// Own work in the order ready fibers (oldest first), then tasks (youngest first); nullptr when
// there is none.
base::work* find_local(worker& w) noexcept;

// The fiber that continues on this worker when the current one leaves it: a ready fiber or a
// scheduling loop; nullptr when there is no memory for one more loop.
fiber::fiber* successor(worker& w) noexcept;

// A suspended scheduling loop, which first runs worker::handed; nullptr when there is no memory for
// one more.
fiber::fiber* acquire_loop(worker& w) noexcept;

// Sees to it that the next acquire_loop has one; false when there is no memory for it.
bool has_loop(worker& w) noexcept;

// Lets others that are ready on this worker go first, whatever the caller's stream has. Returns
// whether something else ran.
bool yield_among_ready(worker& w) noexcept;

// sched::yield_to_anybody for a unit that has already asked its own pool.
bool yield_to_crew() noexcept;

// The first part of yield_to_crew: now and then steals from other workers, and makes a task that
// nobody has started ready.
void look_around(worker& w) noexcept;

// Reports that a stream that only the OS thread of `w` carries (worker::pinned) has something to
// run.
void make_pinned_ready(worker& w) noexcept;

// Makes a bound fiber ready, on its own OS thread.
void make_bound_ready(fiber::fiber& f) noexcept;

}  // namespace artel::sched
