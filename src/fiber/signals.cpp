// A switch between two masks is made in two halves: on the old stack all signals are blocked that
// either side blocks (prepare_signals), on the new one the new mask is set (arrive_with_signals).
#include "fiber/signals.hpp"

#include "fiber/pending_signals.hpp"
#include "fiber/persona.hpp"
#include "fiber/sanitizer.hpp"
#include "fiber/switch.hpp"

#include <csignal>

namespace artel::fiber {

using base::os::change_blocked;
using base::os::set_of;
using base::os::signal_set;

constinit std::atomic<bool> signals_matter{false};

namespace {

// The mask of the first OS thread; while all others have the same, there is nothing to do.
constexpr signal_set unknown = ~signal_set{0};
constinit std::atomic<signal_set> usual{unknown};

signal_state& state_of(fiber& f, carrier& here) noexcept
{
    return f.type == kind::persona ? static_cast<persona&>(f).signals : here.own_signals;
}

signal_set& blocked_of(fiber& f, carrier& here) noexcept
{
    return state_of(f, here).blocked;
}

void switches_look_from_now_on() noexcept
{
    // relaxed: see masks_differ.
    signals_matter.store(true, std::memory_order_relaxed);
}

void note_sent_on(signal_state& s, int signal) noexcept
{
    // relaxed (two): see awaited.
    s.sent_on.store(s.sent_on.load(std::memory_order_relaxed) | set_of(signal),
                    std::memory_order_relaxed);
}

// The `after` function that replaces the original one: runs on the stack and under the thread
// pointer of the next fiber.
void arrive_with_signals(carrier& here, fiber& previous, void* argument)
{
    const after_switch after = here.after_signals;
    fiber& self = *here.current;
    switch (here.mask_change) {
    case mask_step::none: break;
    case mask_step::half_done: change_blocked(SIG_SETMASK, blocked_of(self, here)); break;
    case mask_step::whole:
        // The mask that was really in force, even if the program changed it unseen. Before other
        // threads may have the fiber.
        blocked_of(previous, here) = change_blocked(SIG_SETMASK, blocked_of(self, here));
        break;
    }
    if (after != nullptr) {
        after(here, previous, argument);
    }
    send_deliverable_on(state_of(self, here));
}

}  // namespace

bool signal_masks_matter() noexcept
{
    return masks_differ();
}

signal_set blocked_by(const carrier& here) noexcept
{
    return here.current->type == kind::persona
               ? static_cast<const persona&>(*here.current).signals.blocked
               : here.own_signals.blocked;
}

void begin_with_mask(carrier& here, signal_set blocked) noexcept
{
    if (!masks_differ()) {
        return;
    }
    signal_state& self = state_of(*here.current, here);
    if (here.current->type == kind::persona) {
        take_back(self);
        // relaxed: who may send it signals does not know it yet.
        self.pending.store(0, std::memory_order_relaxed);
    }
    if (self.blocked != blocked) {
        self.blocked = blocked;
        change_blocked(SIG_SETMASK, blocked);
    }
}

void note_own_mask(carrier& here) noexcept
{
    // Signals that were sent to the previous OS thread here, and not handled, have ended with it.
    // relaxed (three): nobody can send this thread signals yet.
    here.own_signals.pending.store(0, std::memory_order_relaxed);
    here.own_signals.sent_on.store(0, std::memory_order_relaxed);
    here.own_signals.awaited.store(0, std::memory_order_relaxed);
    here.own_signals.self = here.current;
    here.own_tls->signals = &here.own_signals;
    here.own_signals.blocked = base::os::blocked_now();
    signal_set first = unknown;
    // relaxed (two): only a number.
    if (!usual.compare_exchange_strong(first, here.own_signals.blocked, std::memory_order_relaxed,
                                       std::memory_order_relaxed) &&
        first != here.own_signals.blocked) {
        switches_look_from_now_on();
    }
}

void mask_was_changed(carrier& here, signal_set before, signal_set now) noexcept
{
    fiber& self = *here.current;
    signal_set& known = blocked_of(self, here);
    // Until switches consider masks, all fibers run under the carrier's. If `before` is another
    // mask than the known one, a signal handler runs, and its change is undone when it returns.
    if (before != (masks_differ() ? known : here.own_signals.blocked) ||
        (before == now && !masks_differ())) {
        return;
    }
    known = now;
    // What is no longer blocked has been delivered. relaxed (two): see awaited.
    signal_state& state = state_of(self, here);
    state.sent_on.store(state.sent_on.load(std::memory_order_relaxed) & now,
                        std::memory_order_relaxed);
    switches_look_from_now_on();
    send_deliverable_on(state);
}

signal_state* signals_of(pthread_t thread) noexcept
{
    // The block is at the same offset from pthread_self() in all threads: it lies in the static
    // part of thread-local storage.
    const auto offset = reinterpret_cast<std::uintptr_t>(&this_tls()) -
                        static_cast<std::uintptr_t>(::pthread_self());
    return reinterpret_cast<const tls_block*>(static_cast<std::uintptr_t>(thread) + offset)
        ->signals;
}

signal_state* own_signals() noexcept
{
    const tls_block& tls = this_tls();
    return tls.signals != nullptr && tls.current_carrier != nullptr &&
                   tls.current_carrier->current == tls.signals->self
               ? tls.signals
               : nullptr;
}

bool leave_signal(signal_state& s, carrier* here, int signal, bool queued,
                  std::uintptr_t value) noexcept
{
    // relaxed (three): published with `pending`.
    s.values[static_cast<unsigned>(signal - 1)].store(value, std::memory_order_relaxed);
    if (queued) {
        s.queued.fetch_or(set_of(signal), std::memory_order_relaxed);
    } else {
        s.queued.fetch_and(~set_of(signal), std::memory_order_relaxed);
    }
    // release: pairs with the acquire in take_signal().
    s.pending.fetch_or(set_of(signal), std::memory_order_release);
    switches_look_from_now_on();
    if (here == nullptr || &state_of(*here->current, *here) != &s) {
        return false;
    }
    send_deliverable_on(s);
    return true;
}

void stays_with_kernel(signal_state& self, int signal) noexcept
{
    // relaxed: see queued.
    self.queued.fetch_and(~set_of(signal), std::memory_order_relaxed);
    note_sent_on(self, signal);
    switches_look_from_now_on();
}

bool withdraw_signal(signal_state& to, int signal) noexcept
{
    return take_signal(to, signal);
}

ARTEL_NOT_INSTRUMENTED void send_pending_on(carrier& here, signal_set blocked) noexcept
{
    fiber* const current = here.current;
    // During a switch the receiver checks itself when it has arrived (signals.hpp).
    if (detail::pointer_of(*current, here) != base::os::read_thread_pointer()) {
        return;
    }
    signal_state& s = state_of(*current, here);
    // relaxed (all): see awaited; take_signal() orders. The kernel thread may block a signal that
    // this fiber is not known to block: a handler runs there, or the mask is just being changed.
    while (const signal_set now = s.pending.load(std::memory_order_relaxed) &
                                  (~s.blocked | s.awaited.load(std::memory_order_relaxed))) {
        const int signal = first_of(now);
        if ((blocked & set_of(signal)) != 0) {
            note_sent_on(s, signal);
        }
        send_on(s, signal);
    }
}

namespace detail {

// Runs between the two halves of a switch, still on the old stack and under the old thread pointer.
//
// A signal that one fiber blocks and the other does not must not be handled on the wrong one: so
// what either blocks is blocked while it is unclear which one runs. What the one that leaves has
// left with the kernel thread, because it blocks it, goes with it.
ARTEL_NOT_INSTRUMENTED void prepare_signals(departure& d, fiber& to) noexcept
{
    carrier& here = *d.here;
    signal_state& from = state_of(*d.from, here);
    if (&from == &state_of(to, here)) {
        return;  // the OS thread's own fibers, under one thread pointer: nudges always work
    }
    take_back(from);
    signal_set& leaving = from.blocked;
    const signal_set coming = blocked_of(to, here);
    here.mask_change = leaving != coming ? mask_step::whole : mask_step::none;
    if ((coming & ~leaving) != 0) {
        leaving = change_blocked(SIG_BLOCK, coming);
        here.mask_change = (leaving & ~coming) != 0 ? mask_step::half_done : mask_step::none;
    }
    here.after_signals = d.after;
    d.after = arrive_with_signals;
}

ARTEL_NOT_INSTRUMENTED void prepare_signals_late(departure& d) noexcept
{
    // A fiber with another mask than this OS thread's has set the flag before it was suspended, so
    // before we got it.
    d.here->mask_change = mask_step::none;
    d.here->after_signals = d.after;
    d.after = arrive_with_signals;
}

}  // namespace detail
}  // namespace artel::fiber
