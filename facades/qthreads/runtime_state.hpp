// The runtime in force, for runtime.cpp, which makes and ends it, and forked_runtime.cpp, which
// makes it again in the child of a fork.
#pragma once

#include "base/spinlock.hpp"
#include "runtime.hpp"

#include <atomic>
#include <vector>

namespace artel::qthreads {

// release and acquire: publish the runtime as it was made.
extern std::atomic<runtime*> the_runtime;
extern base::spinlock changing;
// Streams are kept: units of a runtime that has ended may still hold some.
extern std::vector<sched::stream_group*> groups;

// For the numbers in `r`; all of them are on.
void make_streams(runtime& r);

// Puts the runtime in force. With `joins` the calling thread becomes the program's qthread;
// `again`: see make_program.
void put_in_force(runtime& r, bool joins, bool again);

}  // namespace artel::qthreads
