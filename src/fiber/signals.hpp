// The signal mask of a persona, and signals sent to it. To the kernel both belong to a thread, here
// to the OS thread that carries the persona; to the program they belong to the persona. So as soon
// as a mask differs somewhere, or a signal was sent to a persona, a switch between thread pointers
// takes the mask along, and what was sent to a persona that was not running is sent to its carrier
// when it has arrived there. Until then switches pay for one look at a flag.
//
// Bound fibers are told apart from what else runs on their OS thread in the same way. Plain fibers
// share the mask of the OS thread, and signals are not for them.
//
// A signal for a persona that runs: its bit is set in `pending`, and its carrier is nudged by a
// signal of the runtime's own (base/os/setxid.hpp), whose handler sends the persona's signals on to
// its own kernel thread. All signals are blocked in that handler, so they come when it has
// returned, in the context that it has interrupted, which is still the persona's.
//
// The sender sets the bit and the flag, makes a fence on all threads, and looks who carries the
// persona. A carrier stores whom it carries and then looks at the flag and the bit. So the one sees
// the other.
//
// A nudge that meets a switch before the thread pointer has changed does nothing: who is to get the
// signals does not run yet, and looks itself when it has arrived. But the switch may have looked at
// the flag before it rose. So it looks once more when the thread pointer has changed: from there on
// nudges do their work, and before it whoever sent one has set the flag.
// A persona that waits handles its signals when it goes on. POSIX has a waiting thread handle them
// at once; for that somebody would have to take the persona out of whatever it waits in (a queue, a
// bucket, a latch) and put it back, each of which only its waker may do now. Rejected: programs
// that need it have ARTEL_MEMBERS=threads.
#pragma once

#include "base/os/signals.hpp"
#include "fiber/fiber.hpp"

#include <atomic>
#include <cstdint>

namespace artel::fiber {

// Whether switches have to look at any of this; never falls again.
[[gnu::visibility("hidden")]] extern constinit std::atomic<bool> signals_matter;

inline bool masks_differ() noexcept
{
    // relaxed: whoever has set it has done so on this OS thread, or made a fence on all of them.
    return signals_matter.load(std::memory_order_relaxed);
}

// For tests, which cannot see the flag.
bool signal_masks_matter() noexcept;

// What code that runs on `here` blocks, as far as it is known: outside of signal handlers.
base::os::signal_set blocked_by(const carrier& here) noexcept;

// For code that begins on `here`, with what whoever started it blocks: changes the mask to that if
// masks differ at all. A system call at most.
void begin_with_mask(carrier& here, base::os::signal_set blocked) noexcept;

// The code that runs on `here` blocked `before` and now blocks `now`.
void mask_was_changed(carrier& here, base::os::signal_set before,
                      base::os::signal_set now) noexcept;

// A new bound fiber: notes the mask of its OS thread.
void note_own_mask(carrier& here) noexcept;

// What is known of the thread with that name: a persona, or an OS thread of the crew; nullptr: of
// others nothing.
signal_state* signals_of(pthread_t thread) noexcept;

// That of the persona or bound fiber that calls; nullptr on plain fibers and on other OS threads.
signal_state* own_signals() noexcept;

// Notes a signal for `to`, a persona or a bound fiber. If that runs on `here`, the caller's
// carrier, it gets the signal at once unless it blocks it: then true. False: whoever carries it, if
// anybody, must be nudged.
bool leave_signal(signal_state& to, const carrier* here, int signal, bool queued,
                  std::uintptr_t value) noexcept;

// By a sender: takes back what it has left; false when that has been taken already.
bool withdraw_signal(signal_state& to, int signal) noexcept;

// In the nudged thread's signal handler, which has interrupted code that blocks `blocked`.
void send_pending_on(carrier& here, base::os::signal_set blocked) noexcept;

// For sigwait and its kin, by whoever it was sent to: takes one of `wanted` that was sent to it, 0
// if there is none. And the brackets around the system call.
int take_pending(signal_state& self, base::os::signal_set wanted, siginfo_t* info) noexcept;
void begins_to_await(signal_state& self, base::os::signal_set wanted) noexcept;
void has_awaited(signal_state& self, int got) noexcept;

namespace detail {

struct departure;

// By a switch, when signals matter; before the thread pointer changes.
void prepare_signals(departure& d, fiber& to) noexcept;

// The same when that has been found out only after the thread pointer has changed: masks do not
// differ yet, but there may be signals for `to`.
void prepare_signals_late(departure& d) noexcept;

// The flag once more, see above.
inline bool matter_by_now() noexcept
{
    // relaxed: pairs with the fence that whoever has sent a nudge since has made.
    return signals_matter.load(std::memory_order_relaxed);
}

}  // namespace detail
}  // namespace artel::fiber
