// What a member does whose call of the C library would block its OS thread, and with it the members
// that are ready there: it lets these go first, and blocks for limited times only
// (interposed_mutex.cpp, interposed_sleep.cpp).
#pragma once

#include <chrono>

namespace artel::sched {
struct worker;
}

namespace artel::openmp {

// Whether code that runs on `w` is a member's, or a master's inside a region, and may be suspended
// here in favour of others: not in a call out of the runtime (call_out.hpp), nor isolated
// (isolation.hpp), nor in a signal handler. Any thread that is `w`.
bool may_let_others_go_on(const sched::worker& w) noexcept;

// Lets others that are ready on the caller's worker go first; false when there are none, or when
// all of them block, too (sched::yield_in_round, for `far`). A master does not run others
// on top of its own stack, because they may want what it holds: it passes them on to the crew's own
// threads. Switches. Only after may_let_others_go_on().
bool let_others_go_on(bool far) noexcept;

// The time limit of the next sleep of an OS thread on which all ready members block, after this
// many sleeps. Shorter than the time after which the monitor considers a worker stuck; only after a
// second it is long enough for the monitor to add an OS thread.
constexpr std::chrono::nanoseconds limit_after(unsigned sleeps) noexcept
{
    using namespace std::chrono_literals;
    constexpr unsigned to_usual = 4;
    constexpr unsigned to_longest = 256;  // about a second
    return sleeps < to_usual ? 250us * (1U << sleeps) : sleeps < to_longest ? 4ms : 50ms;
}

// For a caller that is about to block for long: its worker, for a sched::inactive_scope, if it is a
// master, else nullptr.
sched::worker* blocking_master() noexcept;

}  // namespace artel::openmp
