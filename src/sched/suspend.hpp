// How light threads leave the worker that carries them, and are made ready again. All may switch
// except make_ready and home_of. PROTOCOLS.md (hand-off of light threads) says what a suspended
// fiber may touch, and when it may become visible.
#pragma once

#include "sched/worker.hpp"

namespace artel::sched {

// Suspends the calling fiber; `after` runs when its context is saved and makes it visible to the
// thread that will resume it. Meanwhile the OS thread does other work. Returns when resumed,
// perhaps on another worker (not for bound fibers). False, with nothing done, when there is no
// memory for a stack to continue with, or the fiber is isolated (isolation.hpp).
bool suspend(fiber::after_switch after, void* argument) noexcept;

// The same, but the worker continues with `next`, a suspended fiber that only the caller knows.
// Always true.
bool suspend_for(fiber::fiber& next, fiber::after_switch after, void* argument) noexcept;

// Lets other ready work of this worker go first, unless the fiber is isolated. Returns whether
// something else ran; false for a thread that is no worker, here and below.
bool yield() noexcept;

// yield() for light threads that wait in a loop: a task that nobody has started also counts as
// ready, when nothing else is ready here, and now and then otherwise.
bool yield_to_tasks_too() noexcept;

// The same, and also steals from other workers: for foreign code, which may wait for anything.
bool yield_to_anybody() noexcept;

// Makes ready one item that it steals from another worker, and the oldest task of this one: they
// run before what the caller pushes from now on. Does not switch.
void let_others_go_first() noexcept;

// Ends the calling fiber; never returns. `after` may free or pool it.
[[noreturn]] void finish(fiber::after_switch after, void* argument) noexcept;

// Called before foreign code leaves a wait that may have let others continue (a barrier, a
// taskwait): a persona on the OS thread of a guest whose bound fiber is or will soon be ready moves
// to one of the crew's own threads. Switches.
void give_way() noexcept;

// For run functions of base::work, which are called on the scheduling loop of `here`: leaves the
// loop for `f`, a suspended fiber that only the caller knows. Returns, perhaps on another worker,
// when some worker next needs this loop.
void run_now(worker& here, fiber::fiber& f) noexcept;

// Makes a suspended fiber runnable: a bound one on its own OS thread, any other in the caller's
// queue (or its last carrier's when the caller is not a worker). Any thread.
void make_ready(fiber::fiber& f) noexcept;

// The home of a suspended fiber: fiber::home if it has one, else its last carrier, but never a
// reserve that is retiring.
worker& home_of(const fiber::fiber& f) noexcept;

// As make_ready, but on the fiber's home: for light threads whose data should stay where they are.
void make_ready_at_home(fiber::fiber& f) noexcept;

// The same for a chain of fibers linked by `next`, none of them bound, all with the same home: one
// post.
void make_ready_at_home(fiber::fiber& first, fiber::fiber& last) noexcept;

}  // namespace artel::sched
