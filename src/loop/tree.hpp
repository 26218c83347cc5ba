// The thesis's way to run a loop (D. Vorkozhokov, ITMO 2023): work sharing along a tree of tasks,
// with tasks for thieves made late.
//
// A task has a range of iterations and a range of workers [L, R). Its worker keeps the first of R -
// L equal shares and divides workers [L + 1, R) into up to K groups; the first worker of each group
// gets a task with the group's shares in its inbox. So after log N steps every worker has begun
// with an equal share, and always the same one.
//
// A worker whose share is still on its way would steal from others what they need themselves, which
// would destroy the even split. So a task first runs iterations for a timespan, in which 99 of 100
// loops have reached all workers, and makes nothing that could be stolen. Then it halves what is
// left down to the grain, pushes the halves on its deque, the largest first, and runs the last one.
// A stolen or popped task does the same again.
//
// Completion: each task counts itself and those it has made; the last of them decrements its
// parent's count. The caller runs its own tasks until none of this loop is in its deque, and then
// waits for the root.
//
// Beyond the thesis: tasks come back. When the timespan has passed and the caller has nothing left
// to do, a task that its worker has not started is taken back (task_proxy.hpp), and from then on by
// every participant that has finished: otherwise a loop would wait for busy workers, perhaps with
// something that waits for it.
//
// Also beyond it: participants' numbers. A body may be suspended, and its worker may then run
// another task of the loop; so numbers are taken, like slots, and a task that finds none is left to
// their holders. With the clock read after pieces that double, a task of n iterations reads it log
// n times.
#pragma once

#include "loop/loop.hpp"

namespace artel::loop {

// As algorithm::whole. `measured_grain`: the grain is what the task has run in the timespan;
// otherwise it is the request's.
void run_along_tree(const request& r, unsigned slots, bool measured_grain);

}  // namespace artel::loop
