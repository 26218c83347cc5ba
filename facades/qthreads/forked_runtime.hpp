// The runtime of a child of a fork: made when the child first needs it, as the parent's was.
#pragma once

#include "runtime.hpp"

#include <atomic>

namespace artel::qthreads {

// In the child of a fork, until it has a runtime of its own: the parent's. release and acquire: who
// sees that it has become nullptr sees the child's runtime.
extern std::atomic<const runtime*> of_the_parent;
// The child's runtime, if another thread needed it first: the thread that forked is still to become
// its program's qthread. relaxed: written before the runtime is published, and then only that
// thread cares.
extern std::atomic<runtime*> awaits_program;

// The child's runtime, like the parent's: without its qthreads, and with all shepherds and workers
// enabled. The thread that forked becomes the program's qthread, now or at its own first call.
runtime* make_again() noexcept;

// The thread that forked becomes the program's qthread after another thread of the child has made
// the runtime. Not while it runs a unit: its own context comes later.
void join_late(runtime& r) noexcept;

}  // namespace artel::qthreads
