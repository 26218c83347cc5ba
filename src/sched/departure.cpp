// The end of the crew's OS threads while nobody needs them, and how they come back. A member that
// sleeps is sent away (parker.hpp): its OS thread ends, and the worker stays in the crew as it is,
// announced as idle. So nothing else changes: whoever would wake it starts a thread for it instead,
// and that begins where the other one has ended, by leaving the idle set (crew::stop_idling). A
// reserve's thread ends as when the monitor ends it. The monitor's and the alarms' threads are
// started again by who needs them.
#include "base/log.hpp"
#include "base/os/futex.hpp"
#include "base/os/keep_errno.hpp"
#include "base/os/own_threads.hpp"
#include "fiber/call_out.hpp"
#include "fiber/overflow.hpp"
#include "sched/alarm.hpp"
#include "sched/crew.hpp"
#include "sched/worker_clock.hpp"

#include <csignal>
#include <unistd.h>
#include <utility>

namespace artel::sched {
namespace {

// How long to wait for one thread: its worker may still spin, or have got something to do.
constexpr moment patience = 200000000;  // ns

void nap() noexcept
{
    std::atomic<std::uint32_t> never{0};
    base::os::futex_wait_for(never, 0, 50);
}

template <class Condition>
bool comes_true(Condition condition) noexcept
{
    const moment end = now() + patience;
    while (!condition()) {
        if (now() > end) {
            return false;
        }
        nap();
    }
    return true;
}

// A thread that has ended its last instruction of ours counts in the kernel for a moment more.
bool gone(int thread) noexcept
{
    return comes_true([thread] { return ::tgkill(::getpid(), thread, 0) != 0; });
}

}  // namespace

// By a worker that was sent away, while it is announced as idle.
bool crew::may_leave(worker& w) noexcept
{
    if (w.duty == role::member && w.current != &w.base && w.pinned == nullptr) {
        return true;
    }
    w.bed.cancel();
    return false;
}

// The last step of a member's OS thread. False when it was woken meanwhile, and goes on.
bool crew::departs(worker& w) noexcept
{
    fiber::this_tls().current_carrier = nullptr;
    fiber::release_signal_stack(std::exchange(w.signal_stack, nullptr));
    // relaxed (three): hints. The kernel may use the number again.
    w.cpu.store(worker::no_cpu, std::memory_order_relaxed);
    const int clock = w.cpu_clock.exchange(0, std::memory_order_relaxed);
    base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);
    if (w.bed.go_away()) {
        return true;  // another thread may have the worker by now
    }
    fiber::adopt_thread(w, w.base);
    w.signal_stack = fiber::ensure_signal_stack();
    w.cpu_clock.store(clock, std::memory_order_relaxed);  // relaxed, both: as above
    base::os::own_threads.fetch_add(1, std::memory_order_relaxed);
    return false;
}

// Starts a thread for a worker that is away and was woken. There was one before, so a lack of
// threads passes; the caller relies on this worker.
void crew::bring_back(parker& bed) noexcept
{
    const fiber::call_out guard;
    const base::os::keep_errno kept;
    crew* const c = made();
    if (c == nullptr) {
        return;
    }
    c->any_worker([&](worker& w) {
        if (&w.bed != &bed) {
            return false;
        }
        for (unsigned tries = 0; !c->start_thread(w); ++tries) {
            if (tries == 1000) {
                base::die("cannot create worker threads again that have ended");
            }
            nap();
        }
        return true;
    });
}

bool crew::end_thread_of(worker& w) noexcept
{
    if (w.duty == role::member) {
        const int thread = thread_of(w);
        return comes_true([&] {
                   w.bed.send_away();
                   return w.bed.is_away();
               }) &&
               gone(thread);
    }
    // relaxed, all: looks.
    if (w.duty != role::reserve || w.cpu_clock.load(std::memory_order_relaxed) == 0) {
        return true;
    }
    const int thread = thread_of(w);
    return comes_true([&] {
               if (w.resting.load(std::memory_order_relaxed)) {
                   end_rested(w);
               }
               return w.cpu_clock.load(std::memory_order_relaxed) == 0;
           }) &&
           gone(thread);
}

bool crew::end_monitor() noexcept
{
    unsigned state = monitor_running;
    // acq_rel: see monitor_.
    if (!monitor_.compare_exchange_strong(state, monitor_to_end, std::memory_order_acq_rel)) {
        return state == monitor_none;
    }
    const int thread = monitor_thread_.load(std::memory_order_relaxed);  // relaxed: a number
    return comes_true([&] {
               // It may have gone to sleep since.
               base::os::futex_wake(monitor_sleeps_, 1);
               // relaxed: a look.
               return monitor_.load(std::memory_order_relaxed) != monitor_to_end;
           }) &&
           // relaxed: as above. It stays when somebody works.
           monitor_.load(std::memory_order_relaxed) == monitor_none && gone(thread);
}

bool crew::end_threads() noexcept
{
    crew* const c = made();
    if (c == nullptr) {
        return true;
    }
    const worker* const me = this_worker();
    if (me != nullptr && (me->duty != role::guest || me->current != &me->base)) {
        return false;
    }
    // relaxed: a moment's view; who comes later brings the threads back.
    const bool in_use = c->any_worker([](const worker& w) {
        return w.duty == role::guest && w.taking_part.load(std::memory_order_relaxed);
    });
    if (in_use) {
        return false;
    }
    const bool some_stay = c->any_worker([c](worker& w) { return !c->end_thread_of(w); });
    int alarms = 0;
    return !some_stay && c->end_monitor() && end_alarms_thread(alarms) &&
           (alarms == 0 || gone(alarms));
}

}  // namespace artel::sched
