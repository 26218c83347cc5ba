// Taking is one atomic operation on the bit of the signal, so of the carrier and the sender exactly
// one gets it.
#include "fiber/pending_signals.hpp"

#include <csignal>
#include <unistd.h>

namespace artel::fiber {

using base::os::set_of;
using base::os::signal_set;

constexpr int first_real_time = 32;  // to the kernel

bool take_signal(signal_state& s, int signal) noexcept
{
    // acquire: pairs with the release in leave_signal: the signal's value.
    return (s.pending.fetch_and(~set_of(signal), std::memory_order_acquire) & set_of(signal)) != 0;
}

void send_on(signal_state& s, int signal) noexcept
{
    if (take_signal(s, signal)) {
        // relaxed (two): see queued.
        base::os::send_to_thread(
            base::os::this_kernel_thread(), signal,
            (s.queued.load(std::memory_order_relaxed) & set_of(signal)) != 0,
            s.values[static_cast<unsigned>(signal - 1)].load(std::memory_order_relaxed));
    }
}

void send_deliverable_on(signal_state& s) noexcept
{
    // relaxed: a hint; take_signal() orders.
    while (const signal_set now = s.pending.load(std::memory_order_relaxed) & ~s.blocked) {
        send_on(s, first_of(now));
    }
}

void take_back(signal_state& s) noexcept
{
    // relaxed (two): see awaited. A nudge in between finds nothing that it may send on.
    signal_set left = s.sent_on.load(std::memory_order_relaxed);
    if (left == 0) {
        return;
    }
    s.sent_on.store(0, std::memory_order_relaxed);
    for (; left != 0; left &= left - 1) {
        const int signal = first_of(left);
        const bool taken = base::os::take_from_this_thread(signal);
        if (taken && signal >= first_real_time) {
            while (base::os::take_from_this_thread(signal)) {
                // Of several instances of a real-time signal one is kept.
            }
        }
        if (taken) {
            // release: as in leave_signal, whose values are still there.
            s.pending.fetch_or(set_of(signal), std::memory_order_release);
        }
    }
}

int take_pending(signal_state& s, signal_set wanted, siginfo_t* info) noexcept
{
    // relaxed: a hint; take_signal() orders.
    while (const signal_set now = s.pending.load(std::memory_order_relaxed) & wanted) {
        const int signal = first_of(now);
        if (!take_signal(s, signal)) {
            continue;
        }
        if (info != nullptr) {
            *info = {};
            info->si_signo = signal;
            info->si_pid = ::getpid();
            info->si_uid = ::getuid();
            // relaxed (two): see queued.
            if ((s.queued.load(std::memory_order_relaxed) & set_of(signal)) != 0) {
                info->si_code = SI_QUEUE;
                info->si_value.sival_ptr = reinterpret_cast<void*>(
                    s.values[static_cast<unsigned>(signal - 1)].load(std::memory_order_relaxed));
            } else {
                info->si_code = SI_USER;  // as the C library reports SI_TKILL
            }
        }
        return signal;
    }
    return 0;
}

void begins_to_await(signal_state& s, signal_set wanted) noexcept
{
    // relaxed: see awaited.
    s.awaited.store(wanted, std::memory_order_relaxed);
}

void has_awaited(signal_state& s, int got) noexcept
{
    // relaxed (four): see awaited.
    s.awaited.store(0, std::memory_order_relaxed);
    if (got <= 0) {
        take_back(s);  // what has ended the wait unseen
    } else if ((s.sent_on.load(std::memory_order_relaxed) & set_of(got)) != 0 &&
               (base::os::pending_for_this_thread() & set_of(got)) == 0) {
        // Nothing of it is left with the kernel thread, which gets no more: it blocks the signal.
        s.sent_on.store(s.sent_on.load(std::memory_order_relaxed) & ~set_of(got),
                        std::memory_order_relaxed);
    }
}

}  // namespace artel::fiber
