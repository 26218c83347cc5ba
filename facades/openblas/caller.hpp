// What the calling thread has under way in the OpenBLAS libraries, and how it is noticed that a
// call has been left without returning.
#pragma once

#include "call.hpp"

namespace artel::openblas {

// A call begins. `to_return`: the word on the stack that says where it returns to. It is changed so
// that the call returns to us first, unless the call is made from within another one of the thread,
// or too many are under way, which are not counted. Some nanoseconds; may write the libraries'
// numbers under a lock. Never blocks, nor switches.
void enter(void** to_return) noexcept;

// Looks at calls that have been under way for long, and no longer counts those that have been left:
// by longjmp() of a thread that is asleep now, or has ended. By one thread.
void find_left() noexcept;

// At most so many threads for calls that the calling thread begins from now on; 0: as the library's
// limit says. What it was before. While such a call is under way others are told no more either,
// since there is one number.
unsigned limit_here(unsigned threads) noexcept;

// In the child of a fork: forgets the calls of other threads. What is left of this thread's.
call_word keep_own_call() noexcept;

}  // namespace artel::openblas
