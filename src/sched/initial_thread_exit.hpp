// The end of a program whose initial thread calls pthread_exit while others continue: POSIX ends
// the process with its last thread, but ours never end. So a thread watches until only ours are
// left.
#pragma once

namespace artel::sched {

// Called when the initial thread ends and the process continues, from a destructor of
// thread-specific data. A thread that was never in the crew is noticed, too, if it is the one that
// loaded the library.
void initial_thread_leaves() noexcept;

// Called when the process has got its crew.
void crew_is_made() noexcept;

}  // namespace artel::sched
