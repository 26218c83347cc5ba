// The thesis's way to run a loop (D. Vorkozhokov, ITMO 2023): work sharing along a tree of tasks,
// and tasks for thieves that are made late.
//
// A task has a range of iterations and a range of workers [L, R). Its worker keeps the first of R -
// L equal shares and cuts workers [L + 1, R) into up to K groups; the first of each group gets a
// task with the group's shares in its inbox. So after log N steps everybody has begun with an equal
// share, and always the same one.
//
// A worker whose share is still on its way would take from others what they need themselves, and
// the even split were lost. So a task first runs iterations for a timespan, that in which 99 of 100
// loops have reached all workers, and makes nothing that could be stolen. Then it halves what is
// left down to the grain, puts the halves into its deque, the largest first, and runs the last one.
// What was stolen or popped does the same again.
//
// Completion: each task counts itself and those it has made; the last of them counts down its
// parent. The caller runs its own tasks until none of this loop is in its deque, and then waits for
// the root.
//
// What the thesis has not: tasks come back. One that its worker has not begun when the timespan has
// passed and the caller has nothing left to do is taken back (task_proxy.hpp), and from then on by
// everybody who is done: else a loop would wait for workers that are busy, perhaps with something
// that waits for it.
//
// Nor participants' numbers. A body may be suspended, and then its worker may run another task of
// the loop; so numbers are taken, like slots, and a task that finds none is left to those who hold
// them. With the clock read after pieces that double, a task of n iterations reads it log n times.
#pragma once

#include "loop/loop.hpp"

namespace artel::loop {

// As algorithm::whole. `measured_grain`: the grain is what the task has run in the timespan;
// otherwise it is the request's.
void run_along_tree(const request& r, unsigned slots, bool measured_grain);

}  // namespace artel::loop
