// Waiting for a condition that no queue of waiters belongs to.
#pragma once

namespace artel::openmp {

// Waits politely until predicate(argument) holds, for conditions set by other members: spins a
// little, lets other light threads run, and in the end sleeps in short naps. For rare waits only.
void wait_until(bool (*predicate)(void*), void* argument) noexcept;

}  // namespace artel::openmp
