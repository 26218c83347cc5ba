// For foreign code on light threads that finds a lock of its own taken, perhaps by a light thread
// that waits on the same worker: the caller yields until every light thread that is ready on this
// worker has found its lock taken, in one uninterrupted sequence (a yield round). Then the worker
// should sleep for a while. Light threads that sleep do the same.
#pragma once

namespace artel::sched {

// For a persona, or a guest's own code, that has run and now waits for a lock: starts a new round.
void begin_yield_round() noexcept;

// yield, or yield_to_anybody if `far`. Also false when the round is complete.
bool yield_in_round(bool far) noexcept;

// How often the worker has slept in this round before; counts this sleep.
unsigned yield_round_sleeps() noexcept;

// By a guest's own code that is about to block its OS thread: sends personas in its queues to the
// crew's own threads. False when these cannot take one of them. Does not switch. Defined in
// loop.cpp, where queues are sorted.
bool pass_personas_on() noexcept;

}  // namespace artel::sched
