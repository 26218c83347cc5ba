// Waiting for a condition that has no wait queue.
#pragma once

namespace artel::openmp {

// Waits until predicate(argument) holds, for conditions that other members set: spins briefly, then
// yields to other light threads, or to other OS threads when no light thread is ready. For rare
// waits only: it never sleeps.
void wait_until(bool (*predicate)(void*), void* argument) noexcept;

}  // namespace artel::openmp
