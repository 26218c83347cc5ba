// The scheduling loop: what a worker's OS thread does when no light thread occupies it. Inside
// src/sched only.
#pragma once

#include "sched/worker.hpp"

namespace artel::sched {

// The body of a worker's OS thread. Returns only on that of a reserve that is to end.
void run_worker(worker& w) noexcept;

// The run function of a fiber in a queue: leaves the scheduling loop for it.
void run_fiber(void* here, base::work& self);

// Own work in the order ready fibers (oldest first), then tasks (youngest first); nullptr when
// there is none.
base::work* find_local(worker& w) noexcept;

// Who continues on this worker when the current fiber leaves it to the crew: a ready fiber or a
// scheduling loop; nullptr when there is no memory for one more loop.
fiber::fiber* successor(worker& w) noexcept;

// A suspended scheduling loop, which will first run what is in worker::handed; nullptr when there
// is no memory for one more.
fiber::fiber* spare_loop(worker& w) noexcept;

// Lets others that are ready on this worker go first, whatever the caller's stream has. Returns
// whether something else ran.
bool yield_among_ready(worker& w) noexcept;

// As sched::yield_to_anybody, for a unit that has asked its own pool already: other streams and
// whoever else there is.
bool yield_to_crew() noexcept;

// What yield_to_crew does before it looks who is ready here: brings something of others, now and
// then, and lets a task that nobody has begun be one of those who are ready.
void look_around(worker& w) noexcept;

// A stream that only the OS thread of `w` carries (worker::pinned) has something to run.
void make_pinned_ready(worker& w) noexcept;

// Lets a bound fiber go on, on its own OS thread.
void make_bound_ready(fiber::fiber& f) noexcept;

}  // namespace artel::sched
