// Forks beside calls. OpenBLAS ends its threads before a fork, whatever they are doing: callers who
// wait for them would wait for ever. So the fork waits until the calls under way that may use such
// threads have ended, 10 s at most; those that begin meanwhile are told one thread.
#pragma once

namespace artel::openblas {

// Registers handlers that run before those which libraries have registered until now. False: no
// memory.
bool wait_before_forks() noexcept;

}  // namespace artel::openblas
