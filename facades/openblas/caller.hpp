// The calling thread's active call in the OpenBLAS libraries, and the search for calls that were
// abandoned without returning.
#pragma once

#include "call.hpp"

namespace artel::openblas {

// A call begins. `to_return`: the address of its return address, which is changed so that the call
// returns to us first; unless it is nested in another call of the thread, or all places are taken:
// such calls are not counted. Some nanoseconds; may write the libraries' numbers under a lock.
// Never blocks or switches.
void enter(void** to_return) noexcept;

// Checks calls that have been active for long, and no longer counts abandoned ones: those left by
// longjmp(), whose thread is asleep now, or whose thread has ended. Called by one thread.
void find_left() noexcept;

// Limits the threads of calls that the calling thread begins from now on; 0: only the library's
// limit. Returns the previous limit. While such a call is active the limit also applies to the
// calls of others, since the library has only one number.
unsigned limit_here(unsigned threads) noexcept;

// In the child of a fork: forgets the calls of other threads. Returns this thread's call.
call_word keep_own_call() noexcept;

}  // namespace artel::openblas
