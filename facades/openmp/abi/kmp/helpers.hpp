// Hidden helpers: OS threads that run the tasks of target constructs (`target nowait`), so that
// these go on while the program's own threads do something else, and may wait for a device without
// keeping a worker. They are guests of the crew when they meet regions. Made one by one as tasks
// come and none is idle, at most LIBOMP_NUM_HIDDEN_HELPER_THREADS; with KMP_HIDDEN_HELPER_AFFINITY
// all at the first task, each bound to its place.
//
// A member that takes such a task only hands it on: to the team it is a task with an event, which
// the helper fulfils when the body has returned.
#pragma once

#include "task.hpp"

namespace artel::openmp::kmp {

// Whether there are to be any. After LIBOMP_USE_HIDDEN_HELPER_TASK=0 such tasks run on members.
bool helpers_wanted() noexcept;

// Before the task is submitted: it will be handed to a helper.
void let_help(task& t) noexcept;

}  // namespace artel::openmp::kmp
