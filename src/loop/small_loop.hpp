// Loops with no more iterations than workers, in a crew that has nobody to spare: run by the caller
// one after the other, while those that it has not begun lie in its deque as one task, for whoever
// comes. Iterations may so meet each other, whatever parallel_for promises: while one of them
// waits, the worker that it leaves, or any other that has nothing to do, goes on with the next.
#pragma once

#include "loop/loop.hpp"
#include "loop/site.hpp"

namespace artel::loop {

// Runs all of [begin, end), 2 to width() iterations, each as a participant of its own. The first
// exception of the body drops the iterations that nobody has begun, and is thrown here. `here`:
// this_worker(), which is counted as busy. Notes in `place` whether anybody came. Switches;
// allocates nothing.
void run_small_loop(sched::worker& here, std::int64_t begin, std::int64_t end, range_body body,
                    void* context, site& place);

}  // namespace artel::loop
