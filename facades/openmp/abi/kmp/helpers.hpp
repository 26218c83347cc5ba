// Hidden helpers: OS threads that run the tasks of target constructs (`target nowait`), so that
// these progress while the program's own threads do something else, and may wait for a device
// without blocking a worker. They are guests of the crew when they meet regions. A helper is made
// when a task comes and none is idle, up to LIBOMP_NUM_HIDDEN_HELPER_THREADS; with
// KMP_HIDDEN_HELPER_AFFINITY all are made at the first task, each bound to its place.
//
// A member that takes such a task only hands it on: to the team it is a detached task, whose event
// the helper fulfils when the body has returned.
#pragma once

#include "task.hpp"

namespace artel::openmp::kmp {

// Whether helpers are used. With LIBOMP_USE_HIDDEN_HELPER_TASK=0 such tasks run on members.
bool helpers_wanted() noexcept;

// Called before the task is submitted: has it handed to a helper.
void let_help(task& t) noexcept;

}  // namespace artel::openmp::kmp
