// The scheduling loop: what a worker's OS thread does when no light thread occupies it. Inside
// src/sched only.
#pragma once

#include "sched/worker.hpp"

namespace artel::sched {

// The body of a worker's OS thread. Returns only on that of a reserve that is to end.
void run_worker(worker& w) noexcept;

// Own work in the order ready fibers (oldest first), then tasks (youngest first); nullptr when
// there is none.
base::work* find_local(worker& w) noexcept;

}  // namespace artel::sched
