// Runners: fibers with pooled stacks that run the functions of ULTs, one after the other as long as
// those end without having been suspended.
#pragma once

#include "thread.hpp"

namespace artel::argobots {

// What a runner runs, and the context of a ULT with a stack of its own.
[[noreturn]] void run_units(fiber::fiber& f);
[[noreturn]] void run_on_own_stack(fiber::fiber& f);

// Ends the calling ULT.
[[noreturn]] void end_self(thread& t, thread* next) noexcept;

// A unit that was cancelled before its end gives up its context.
void discard_context(thread& t) noexcept;
void free_runners(xstream& x) noexcept;

}  // namespace artel::argobots
