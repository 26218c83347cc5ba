// Loops with no more iterations than workers, in a crew without free workers: the caller runs them
// one after the other, while those that nobody has started lie in its deque as one task, for any
// thief. So iterations may wait for each other, although parallel_for does not promise that they
// run at the same time: while one waits, the worker that it leaves, or any other free one,
// continues with the next.
#pragma once

#include "loop/loop.hpp"
#include "loop/site.hpp"

namespace artel::loop {

// Runs all of [begin, end), 2 to width() iterations, each as a participant of its own. The first
// exception of the body drops the iterations that nobody has started, and is thrown here. `here`:
// this_worker(), which is counted as busy. Notes in `memory` whether another worker came. Switches;
// allocates nothing.
void run_small_loop(sched::worker& here, std::int64_t begin, std::int64_t end, range_body body,
                    void* context, site& memory);

}  // namespace artel::loop
