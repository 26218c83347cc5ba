// What an execution stream and its main scheduler have to do with each other. set_main is in
// xstream.hpp.
#pragma once

#include "xstream.hpp"

namespace artel::argobots {

// The pools of `s` wake the stream from now on, until leave_pools; false without memory.
bool watch_pools(xstream& x, scheduler& s) noexcept;
void leave_pools(xstream& x, scheduler& s) noexcept;
// Whether the main scheduler may stop for the one that is to replace it: what is in its pools, or
// blocked, would be nobody's unless that one has them, too, or another scheduler.
bool leaves_nothing_behind(const xstream& x) noexcept;
// It is no stream's main scheduler any more: freed, if it is to free itself.
void release(scheduler& s) noexcept;
// What the root context of a stream runs: its main scheduler, and those that replace it.
[[noreturn]] void run_root(fiber::fiber& f);

}  // namespace artel::argobots
