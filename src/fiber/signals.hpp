// The signal mask of a persona, and signals sent to it. To the kernel both belong to a thread, here
// the OS thread that carries the persona; to the program they belong to the persona. So once any
// mask differs, or a signal was sent to a persona, switches between thread pointers also change the
// mask, and signals for a persona that was not running are sent to its carrier when it has arrived
// there. Until then switches only check a flag.
//
// Bound fibers are distinguished in the same way from personas on their OS thread. Plain fibers
// have the thread pointer, the mask and the signals of the OS thread, so they are as good as its
// bound fiber, and handlers may run on their stacks.
//
// A signal for a running persona: its bit is set in `pending`, and its carrier is nudged by a
// signal of the runtime (base/os/setxid.hpp), whose handler sends the persona's signals on to its
// own kernel thread. All signals are blocked in that handler, so they are delivered when it
// returns, in the interrupted context, which is still the persona's.
//
// The sender sets the bit and the flag, makes a fence on all threads, and looks for the persona's
// carrier. A carrier stores the fiber that it carries and then checks the flag and the bit. So one
// of them sees the other.
//
// A nudge during a switch, before the thread pointer has changed, does nothing: the receiver does
// not run yet, and checks itself when it has arrived. But the switch may have checked the flag
// before it was set. So it checks again when the thread pointer has changed: from then on nudges
// work, and the sender of an earlier one has set the flag. A suspended persona handles its signals
// when it is resumed. POSIX has a waiting thread handle them at once; for that a sender would have
// to take the persona out of whatever it waits in (a queue, a bucket, a latch) and put it back, and
// only its waker may do either. Rejected: programs that need it have ARTEL_MEMBERS=threads.
#pragma once

#include "base/os/signals.hpp"
#include "fiber/fiber.hpp"

#include <atomic>
#include <cstdint>

namespace artel::fiber {

// Whether switches must consider signals; never reset.
[[gnu::visibility("hidden")]] extern constinit std::atomic<bool> signals_matter;

inline bool masks_differ() noexcept
{
    // relaxed: it was set on this OS thread, or a fence on all threads followed.
    return signals_matter.load(std::memory_order_relaxed);
}

// For tests, which cannot see the flag.
bool signal_masks_matter() noexcept;

// The mask of the code that runs on `here`, as far as it is known: outside of signal handlers.
base::os::signal_set blocked_by(const carrier& here) noexcept;

// For a thread of the program that begins on `here` with its maker's mask `blocked`: sets that mask
// if masks differ at all, and forgets what was sent to an earlier thread on the same persona.
void begin_with_mask(carrier& here, base::os::signal_set blocked) noexcept;

// The code that runs on `here` blocked `before` and now blocks `now`.
void mask_was_changed(carrier& here, base::os::signal_set before,
                      base::os::signal_set now) noexcept;

// A new bound fiber: notes the mask of its OS thread.
void note_own_mask(carrier& here) noexcept;

// The state of a persona or an OS thread of the crew; nullptr for other threads.
signal_state* signals_of(pthread_t thread) noexcept;

// The state of the calling persona or bound fiber; nullptr on plain fibers and on other OS threads.
signal_state* own_signals() noexcept;

// Stores a signal for `to`, a persona or a bound fiber. True: it runs on `here`, the caller's
// carrier, and gets the signal at once unless it blocks it. False: its carrier, if it has one, must
// be nudged.
bool leave_signal(signal_state& to, carrier* here, int signal, bool queued,
                  std::uintptr_t value) noexcept;

// By the receiver: the signal, which it blocks, is about to be sent to the kernel thread that
// carries it. A switch takes it along.
void stays_with_kernel(signal_state& self, int signal) noexcept;

// By a sender: takes back its signal; false when that has been taken already.
bool withdraw_signal(signal_state& to, int signal) noexcept;

// Called in the nudged thread's signal handler, which has interrupted code that blocks `blocked`.
void send_pending_on(carrier& here, base::os::signal_set blocked) noexcept;

// For sigwait and its kin, called by the receiver: takes one of `wanted` that was sent to it, 0 if
// there is none. The other two are the calls before and after the system call.
int take_pending(signal_state& self, base::os::signal_set wanted, siginfo_t* info) noexcept;
void begins_to_await(signal_state& self, base::os::signal_set wanted) noexcept;
void has_awaited(signal_state& self, int got) noexcept;

namespace detail {

struct departure;

// Called by a switch when signals matter, before the thread pointer changes.
void prepare_signals(departure& d, fiber& to) noexcept;

// The same when the flag was found set only after the thread pointer had changed: masks do not
// differ yet, but there may be signals for `to`.
void prepare_signals_late(departure& d) noexcept;

// Checks the flag once more, see above.
inline bool matter_by_now() noexcept
{
    // relaxed: pairs with the fence of a sender that has nudged since.
    return signals_matter.load(std::memory_order_relaxed);
}

}  // namespace detail
}  // namespace artel::fiber
