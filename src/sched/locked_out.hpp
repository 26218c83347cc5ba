// What foreign code on light threads does for the others when it has found a lock of its own taken,
// perhaps by somebody who waits on the same worker: it lets them go first, until all who are ready
// there have found locks taken, one after the other, since anybody else ran. They are a row; its
// worker had better sleep then, for a while.
#pragma once

namespace artel::sched {

// For a persona, or a guest's own code, which has been running and now waits for a lock: no row
// has formed since.
void begin_row() noexcept;

// As yield, or as yield_to_anybody if `far`. False also when all who are ready here are a row.
bool yield_while_locked_out(bool far) noexcept;

// How often the row has slept before; counts this time.
unsigned row_sleeps() noexcept;

// By a guest's own code that is about to block its OS thread: personas that wait in its queues go
// to the crew's own threads. False when there is one that these cannot take. Does not switch.
// In loop.cpp, where its queues are sorted.
bool pass_personas_on() noexcept;

}  // namespace artel::sched
