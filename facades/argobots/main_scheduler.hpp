// The main scheduler of an execution stream. set_main is in xstream.hpp.
#pragma once

#include "xstream.hpp"

namespace artel::argobots {

// The pools of `s` wake the stream from now on, until leave_pools; false without memory.
bool watch_pools(xstream& x, scheduler& s) noexcept;
void leave_pools(xstream& x, scheduler& s) noexcept;
// Whether the main scheduler may stop for its replacement. Not if its pools hold ready or blocked
// units, unless the replacement or another scheduler has these pools, too.
bool leaves_nothing_behind(const xstream& x) noexcept;
// Called when it is no stream's main scheduler any more: frees it if it is automatic.
void release(scheduler& s) noexcept;
// The function of a stream's root context: runs the main scheduler, and its replacements.
[[noreturn]] void run_root(fiber::fiber& f);
// Called on the root by the main scheduler of a secondary stream, which ends without returning.
[[noreturn]] void leave_root(fiber::fiber& f) noexcept;

// In the child of a fork nobody waits for a replacement.
void forget_replacers_after_fork() noexcept;

}  // namespace artel::argobots
