// Forks during calls. OpenBLAS ends its threads before a fork, whatever they are doing, and calls
// that wait for them would wait for ever. So the fork waits until the active calls that may use
// such threads have ended, for 10 s at most; calls that begin meanwhile get one thread.
#pragma once

namespace artel::openblas {

// Registers handlers that run before those which libraries have registered so far. False: no
// memory.
bool wait_before_forks() noexcept;

}  // namespace artel::openblas
