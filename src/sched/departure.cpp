// The end of the crew's OS threads while nobody needs them, and how they come back. An own worker
// that sleeps is sent away (parker.hpp): its OS thread ends, and the worker stays in the crew as it
// is, announced as idle. So nothing else changes: a thread that would wake it starts a thread for
// it instead, and that begins where the other one has ended, by leaving the idle set
// (crew::stop_idling). A reserve's thread ends as when the monitor ends it. The monitor's and the
// alarms' threads are started again by the first thread that needs them.
#include "base/log.hpp"
#include "base/os/futex.hpp"
#include "base/os/keep_errno.hpp"
#include "base/os/own_threads.hpp"
#include "fiber/call_out.hpp"
#include "fiber/overflow.hpp"
#include "sched/alarm.hpp"
#include "sched/crew.hpp"
#include "sched/worker_clock.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace artel::sched {
namespace {

// Grace period for the workers to park, added to the time for which they spin: one of them may have
// got something to do.
constexpr moment grace_period = 200000000;  // ns
// The least that each worker gets of it, even if those before it have used it up.
constexpr moment least_grace_period = 20000000;  // ns

void sleep_briefly() noexcept
{
    std::atomic<std::uint32_t> never{0};
    base::os::futex_wait_for(never, 0, 50);
}

template <class Condition>
bool comes_true(moment end, Condition condition) noexcept
{
    while (!condition()) {
        if (now() > end) {
            return false;
        }
        sleep_briefly();
    }
    return true;
}

// Waits until the kernel has forgotten the thread, which takes a moment after its last instruction.
// 0: no thread.
bool gone(int thread) noexcept
{
    return comes_true(now() + grace_period,
                      [thread] { return ::tgkill(::getpid(), thread, 0) != 0; });
}

// The number of the worker's thread, if that runs by now.
void note_thread(const worker& w, int& thread) noexcept
{
    // relaxed: only a number.
    if (const int clock = w.cpu_clock.load(std::memory_order_relaxed); clock != 0) {
        thread = thread_of_clock(clock);
    }
}

// Whether one of the crew's own threads carries the worker, or is about to. False if its thread
// could not be made.
bool has_thread(const worker& w) noexcept
{
    // relaxed, all: looks.
    return w.had_thread.load(std::memory_order_relaxed) &&
           (w.kind == role::own       ? !w.bed.is_away()
            : w.kind == role::reserve ? !w.vacant.load(std::memory_order_relaxed) ||
                                            w.cpu_clock.load(std::memory_order_relaxed) != 0
                                      : false);
}

}  // namespace

// Called by a worker that was sent away, while it is announced as idle.
bool crew_workers::may_leave(worker& w) noexcept
{
    if (w.kind == role::own && w.current != &w.base && w.pinned == nullptr) {
        return true;
    }
    w.bed.cancel();
    return false;
}

// The last step of an own worker's OS thread. False when it was woken meanwhile, and continues.
bool crew_workers::departs(worker& w) noexcept
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

// Starts a thread for a worker that is away and was woken. Tries again until the system gives a
// thread, as it did before: the caller relies on this worker.
void crew_workers::bring_back(parker& bed) noexcept
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
                base::fatal("cannot create worker threads again that have ended: {}",
                            std::strerror(errno));
            }
            sleep_briefly();
        }
        return true;
    });
}

// Waits for the worker until `end`, and then for its thread.
bool crew_workers::end_thread_of(worker& w, std::int64_t end) noexcept
{
    // A thread that is just starting tells its number late. It is sent away only then, because the
    // number cannot be read afterwards.
    int thread = 0;
    if (w.kind == role::own) {
        return comes_true(end,
                          [&] {
                              note_thread(w, thread);
                              if (thread != 0) {
                                  w.bed.send_away();
                              }
                              return !has_thread(w);
                          }) &&
               gone(thread);
    }
    return comes_true(end,
                      [&] {
                          note_thread(w, thread);
                          // relaxed: a hint.
                          if (thread != 0 && w.resting.load(std::memory_order_relaxed)) {
                              end_rested(w);
                          }
                          return !has_thread(w);
                      }) &&
           gone(thread);
}

bool crew_monitor::end_monitor() noexcept
{
    unsigned state = monitor_running;
    // acq_rel: see monitor_.
    if (!monitor_.compare_exchange_strong(state, monitor_to_end, std::memory_order_acq_rel)) {
        return state == monitor_none || state == monitor_refused;
    }
    return comes_true(now() + grace_period,
                      [&] {
                          // It may have gone to sleep since, or into a tick.
                          base::os::futex_wake(monitor_sleeps_, 1);
                          base::os::futex_wake(monitor_, 1);
                          // acquire: its number, which it has told before; it may just have begun.
                          state = monitor_.load(std::memory_order_acquire);
                          return state != monitor_to_end;
                      }) &&
           // It stays when somebody works. relaxed: a number.
           state == monitor_none && gone(monitor_thread_.load(std::memory_order_relaxed));
}

bool crew::end_threads() noexcept
{
    crew* const c = made();
    if (c == nullptr) {
        return true;
    }
    const worker* const me = this_worker();
    if (me != nullptr && (me->kind != role::guest || me->current != &me->base)) {
        return false;
    }
    // relaxed: a momentary view; a thread that comes later brings the threads back.
    const bool in_use = c->any_worker([](const worker& w) {
        return w.kind == role::guest && w.taking_part.load(std::memory_order_relaxed);
    });
    if (in_use) {
        return false;
    }
    const std::uint64_t spin_time = c->spin_cycles_ * 1000 / base::cycles_per_microsecond();
    const moment end = now() + grace_period + static_cast<moment>(spin_time);
    bool all = true;
    bool any = true;
    // Repeated until a round finds no thread: a thread that ended in the last round may have woken
    // or made another.
    while (all && any && now() < end) {
        any = false;
        c->any_worker([&](worker& w) {
            if (has_thread(w)) {
                any = true;
                all = c->end_thread_of(w, std::max(end, now() + least_grace_period)) && all;
            }
            return false;
        });
    }
    all = c->end_monitor() && all;
    int alarms = 0;
    return end_alarms_thread(alarms) && gone(alarms) && all;
}

}  // namespace artel::sched
