// What light threads do with the worker that carries them: leave it to others, and be made ready
// again. All may switch but make_ready and home_of; what a suspended fiber may touch, and when it
// may be shown to others: README, hand-off of light threads.
#pragma once

#include "sched/worker.hpp"

namespace artel::sched {

// Suspends the calling fiber; `after` runs when its context is saved and shows it to whoever will
// resume it. Meanwhile the OS thread does other work. Returns when resumed, perhaps on another
// worker (not for bound fibers). False, with nothing done, when there is no memory for a stack to
// go on with, or the fiber is isolated (isolation.hpp).
bool suspend(fiber::after_switch after, void* argument) noexcept;

// The same, where the worker goes on with `next`: a suspended fiber that is exclusively the
// caller's. Always true.
bool suspend_for(fiber::fiber& next, fiber::after_switch after, void* argument) noexcept;

// Lets other ready work of this worker go first, unless the fiber is isolated. Returns whether
// something else ran.
bool yield() noexcept;

// The same for light threads that wait in a loop: when nothing else is ready here, and now and then
// when something is, a task that nobody has begun counts as ready.
bool yield_to_tasks_too() noexcept;

// The same, and what lies with other workers is brought here: for foreign code, which nobody has
// promised that it will be found there.
bool yield_to_anybody() noexcept;

// Ends the calling fiber: as suspend, never returns. `after` may free or pool it.
[[noreturn]] void finish(fiber::after_switch after, void* argument) noexcept;

// For foreign code, before it leaves a wait in which others may have been let go on (a barrier, a
// taskwait): a persona on the OS thread of a guest whose bound fiber is ready, or about to be,
// moves to one of the crew's own threads. Switches.
void give_way() noexcept;

// For the run function of a base::work, which is called on the scheduling loop of `here`: leaves
// the loop for `f`, a suspended fiber that is exclusively the caller's. Returns, perhaps on another
// worker, when some worker next needs this loop.
void run_now(worker& here, fiber::fiber& f) noexcept;

// Makes a suspended fiber runnable: a bound one on its own OS thread, any other in the caller's
// queue (or its last carrier's when the caller is not a worker). Any thread.
void make_ready(fiber::fiber& f) noexcept;

// Where a suspended fiber goes home to: fiber::home if it has one, else who carried it last, but
// never a reserve that is on its way out.
worker& home_of(const fiber::fiber& f) noexcept;

// As make_ready, but on the fiber's home: for light threads whose data should stay where they are.
void make_ready_at_home(fiber::fiber& f) noexcept;

// The same for a chain of fibers linked by `next`, none of them bound, all with the same home: one
// post.
void make_ready_at_home(fiber::fiber& first, fiber::fiber& last) noexcept;

}  // namespace artel::sched
