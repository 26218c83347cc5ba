// Runners: fibers with pooled stacks that run the functions of ULTs, one after the other, as long
// as these end without having been suspended.
#pragma once

#include "thread.hpp"

namespace artel::argobots {

// The function of runners, and of the contexts of ULTs with a stack of their own.
[[noreturn]] void run_units(fiber::fiber& f);
[[noreturn]] void run_on_own_stack(fiber::fiber& f);

// Ends the calling ULT.
[[noreturn]] void end_self(thread& t, thread* next) noexcept;

// Frees the context of a unit that was cancelled before its end.
void discard_context(thread& t) noexcept;
void free_runners(xstream& x) noexcept;

}  // namespace artel::argobots
