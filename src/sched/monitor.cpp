// The progress monitor: light threads that were promised to run concurrently (team members) may wait for each other without yielding, in
// loops that no runtime can see (OpenBLAS's level-3 jobs, flag waits). When such a light thread has been ready for a whole tick while every
// worker that could take it has not switched once, the monitor adds an OS thread, twice as many at each further tick, so that the kernel's
// time slices give everybody progress, as under a runtime with one OS thread per member. Reserves rest when nothing is left for them.
#include "base/log.hpp"
#include "base/options.hpp"
#include "sched/crew.hpp"

#include <algorithm>
#include <csignal>
#include <mutex>
#include <new>
#include <pthread.h>

namespace artel::sched {
namespace {

constexpr unsigned most_at_once = 64;
constexpr std::uint64_t nap_when_idle = 1000000;  // us; an upper bound, guest_begins wakes the monitor

// What the monitor remembers of a worker between ticks.
struct observation {
    std::uint64_t switches = 0;
    bool had_waiting = false;
};

}  // namespace

// A reserve with nothing to do sleeps outside the idle set: only the monitor, or mail, wakes it.
void crew::rest(worker& w) noexcept
{
    {
        const std::scoped_lock hold(growing_);
        w.next_free = resting_.load(std::memory_order_relaxed);  // relaxed: under the lock
        resting_.store(&w, std::memory_order_relaxed);           // relaxed: under the lock
    }
    if (w.bed.prepare()) {
        if (w.has_work()) {
            w.bed.cancel();
        } else {
            w.bed.commit();
        }
    }
    const std::scoped_lock hold(growing_);
    worker* first = resting_.load(std::memory_order_relaxed);  // relaxed: under the lock
    if (first == &w) {
        resting_.store(w.next_free, std::memory_order_relaxed);  // relaxed: under the lock
        return;
    }
    for (; first != nullptr; first = first->next_free) {
        if (first->next_free == &w) {
            first->next_free = w.next_free;
            return;
        }
    }
}

bool crew::add_reserve() noexcept
{
    worker* w = nullptr;
    {
        const std::scoped_lock hold(growing_);
        w = resting_.load(std::memory_order_relaxed);  // relaxed: under the lock
        if (w != nullptr) {
            resting_.store(w->next_free, std::memory_order_relaxed);  // relaxed: under the lock
        }
    }
    if (w != nullptr) {
        w->bed.unpark();
        return true;
    }
    const unsigned most = base::options().max_workers;
    if (most != 0 && member_count() + reserve_count() >= most) {
        return false;
    }
    w = add(role::reserve);
    if (w == nullptr || !start_thread(*w)) {
        return false;
    }
    reserve_count_.fetch_add(1, std::memory_order_relaxed);  // relaxed: a statistic
    return true;
}

void* crew::monitor_main(void* argument)
{
    crew& c = *static_cast<crew*>(argument);
    ::pthread_setname_np(::pthread_self(), "artel-monitor");
    const auto tick = static_cast<std::uint64_t>(base::options().monitor.count()) * 1000;
    auto* const seen = new (std::nothrow) observation[max_workers];
    if (seen == nullptr) {
        base::write_line("no memory for the progress monitor: light threads that wait for each other in spin loops may hang");
        return nullptr;
    }
    unsigned to_add = 1;
    for (;;) {
        if (c.active_.load(std::memory_order_relaxed) <= 0) {  // relaxed: a late look costs a tick
            // relaxed: a futex word; guest_begins clears it and wakes us, and a lost race costs the bounded nap.
            c.monitor_sleeps_.store(1, std::memory_order_relaxed);
            base::os::futex_wait_for(c.monitor_sleeps_, 1, nap_when_idle);
            c.monitor_sleeps_.store(0, std::memory_order_relaxed);  // relaxed: as above
            continue;
        }
        std::atomic<std::uint32_t> never{0};
        base::os::futex_wait_for(never, 0, tick);
        bool waiting = false;
        const unsigned n = c.table_size();
        // relaxed: the count only tells that somebody waits; which worker is stuck is seen below.
        const bool somewhere = c.concurrent_waiting_.load(std::memory_order_relaxed) > 0;
        bool all_stuck = true;
        for (unsigned i = 0; i < n; ++i) {
            worker& w = *c.at(i);
            const bool has_waiting = !w.ready.empty() || !w.mail.empty();
            // relaxed: a stale count says "no progress" at most one tick too early.
            const std::uint64_t switches = w.switches.load(std::memory_order_relaxed);
            const bool stuck = switches == seen[i].switches;
            waiting |= has_waiting && seen[i].had_waiting && stuck;
            if (!stuck) {
                all_stuck = false;
            }
            seen[i] = {switches, has_waiting};
        }
        waiting |= somewhere && all_stuck;
        if (!waiting) {
            to_add = 1;
            continue;
        }
        // Somebody asleep may do it within the width; the next tick sees whether that was enough.
        if (c.idle_count_.load(std::memory_order_relaxed) != 0) {  // relaxed: a look
            c.notify(nullptr);
        }
        for (unsigned i = 0; i < to_add && c.add_reserve(); ++i) {
        }
        to_add = std::min(to_add * 2, most_at_once);
    }
}

void crew::start_monitor() noexcept
{
    // relaxed: a once-flag; the exchange below decides.
    if (monitor_started_.load(std::memory_order_relaxed) || base::options().monitor.count() == 0) {
        return;
    }
    if (monitor_started_.exchange(true, std::memory_order_acq_rel)) {  // acq_rel: only the first goes on
        return;
    }
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    ::pthread_attr_setstacksize(&attributes, 128 * 1024);
    pthread_t thread;
    if (::pthread_create(&thread, &attributes, monitor_main, this) != 0) {
        base::write_line("cannot create the progress monitor: light threads that wait for each other in spin loops may hang");
    }
    ::pthread_attr_destroy(&attributes);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace artel::sched
