// The end of a program whose initial thread calls pthread_exit while others continue: POSIX ends
// the process with its last thread, but ours never end. So a thread watches until only ours are
// left.
#pragma once

namespace artel::sched {

// Called when the initial thread ends and the process continues, from a destructor of
// thread-specific data.
void initial_thread_leaves() noexcept;

}  // namespace artel::sched
