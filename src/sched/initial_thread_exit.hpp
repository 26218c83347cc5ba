// The end of a program whose initial thread leaves by pthread_exit and lets others finish: POSIX
// ends the process with its last thread, and ours never end. So somebody has to watch until only
// ours are left.
#pragma once

namespace artel::sched {

// The initial thread is ending; the process goes on. From a destructor of thread-specific data.
void initial_thread_leaves() noexcept;

}  // namespace artel::sched
