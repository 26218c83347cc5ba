// setuid() and its kin, which on Linux change one thread: the C library sends a signal to all other
// threads of the process, whose handler makes the same system call there and marks the thread as
// done in the descriptor at the thread pointer. On an OS thread that carries a light thread with
// the thread pointer of another pthread, the wrong descriptor would be marked, and the caller would
// wait for ever.
#pragma once

#include "base/os/signals.hpp"
#include "base/os/thread_pointer.hpp"

namespace artel::base::os {

// The original thread pointer of the OS thread with this kernel number; 0: it has never had
// another. Called in a signal handler, under any thread pointer.
using own_pointer_of = thread_pointer (*)(int thread) noexcept;

// The action of a nudged thread, in a signal handler, under any thread pointer and with all signals
// blocked; the interrupted code blocks `blocked`.
using nudged = void (*)(int thread, signal_set blocked) noexcept;

// Installs a handler around the C library's, which exists since the process made its first pthread:
// it calls that one under the thread's own thread pointer. Call it when there is a pthread and
// before thread pointers are changed. Idempotent; any thread, also in signal handlers. False, with
// nothing done, when the library has no handler yet.
bool guard_setxid(own_pointer_of ask, nudged act) noexcept;

// Lets a kernel thread of the process call `act`, by the same signal, which no thread can block.
// After guard_setxid has returned true.
void nudge(int thread) noexcept;

}  // namespace artel::base::os
