// The OS threads of the crew: how they start, and how signals and setuid() find them.
#include "base/os/own_threads.hpp"
#include "base/os/setxid.hpp"
#include "base/os/signals.hpp"
#include "fiber/call_out.hpp"
#include "fiber/overflow.hpp"
#include "fiber/signals.hpp"
#include "sched/crew.hpp"
#include "sched/loop.hpp"
#include "sched/worker_clock.hpp"

#include <cerrno>
#include <pthread.h>
#include <sched.h>

namespace artel::sched {

bool crew_workers::start_thread(worker& w) noexcept
{
    const fiber::call_out guard;
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The signal mask is as if the program had made the thread itself: members of its teams raise
    // signals, and profilers count the ticks that interrupt them. Signals for the whole process
    // still go to the main thread first.
    if (base::os::blocked_now() != base::os::set_of(program_mask_)) {
        ::pthread_attr_setsigmask_np(&attributes, &program_mask_);
    }
    const bool comes_back = w.away;  // it has been counted all the time
    if (w.kind == role::own) {
        // Counted before the thread runs, so that it is active from the first moment. seq_cst: see
        // rouse_monitor.
        present_.fetch_add(comes_back ? 0 : 1, std::memory_order_seq_cst);
        starting_.fetch_add(one_starting, std::memory_order_relaxed);  // relaxed: see starting_
    }
    w.cpu.store(worker::unknown_cpu, std::memory_order_relaxed);  // relaxed: a hint
    start_apart(w, attributes);
    pthread_t thread;
    int error = ::pthread_create(&thread, &attributes, thread_main, &w);
    if (error == EINVAL && w.mask_at_start != nullptr) {  // a CPU went away
        ::pthread_attr_setaffinity_np(&attributes, sizeof *w.mask_at_start, w.mask_at_start.get());
        error = ::pthread_create(&thread, &attributes, thread_main, &w);
    }
    if (error == EINVAL && comes_back) {  // the program may use none of its first CPUs any more
        ::pthread_attr_setaffinity_np(&attributes, 0, &program_cpus_);  // none
        error = ::pthread_create(&thread, &attributes, thread_main, &w);
    }
    ::pthread_attr_destroy(&attributes);
    if (error != 0) {
        if (w.kind == role::own) {
            present_.fetch_sub(comes_back ? 0 : 1, std::memory_order_relaxed);  // relaxed: as above
            has_looked();
        }
        w.cpu.store(worker::no_cpu, std::memory_order_relaxed);  // relaxed: a hint
        errno = error;
        return false;
    }
    w.had_thread.store(true, std::memory_order_relaxed);            // relaxed: see had_thread
    base::os::own_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: see own_threads
    if (w.kind == role::own && !comes_back) {
        rouse_monitor();
    }
    return true;
}

void* crew_workers::thread_main(void* argument)
{
    worker& w = *static_cast<worker*>(argument);
    ::pthread_setname_np(::pthread_self(), w.kind == role::own ? "artel-worker" : "artel-reserve");
    fiber::adopt_thread(w, w.base);
    note_clock(w);
    w.signal_stack = fiber::ensure_signal_stack();
    w.own_crew.leave_start_mask(w);
    if (w.kind == role::own) {
        w.own_crew.has_looked();
    }
    w.own_crew.settle_down(w);
    w.own_crew.has_arrived(w);
    for (;;) {
        run_worker(w);
        if (!w.away) {
            w.own_crew.has_ended(w);
            return nullptr;
        }
        if (departs(w)) {
            return nullptr;
        }
    }
}

bool crew_workers::usual_signal_mask(const worker& w) const noexcept
{
    return base::os::blocked_now() ==
           (fiber::masks_differ() ? fiber::blocked_by(w) : base::os::set_of(program_mask_));
}

// The worker of that kernel thread. Also in signal handlers.
worker* crew::on_thread(int thread) noexcept
{
    worker* found = nullptr;
    // nullptr: a child of a fork that has not used its crew.
    if (const crew* const c = made(); c != nullptr) {
        c->any_worker([&](worker& w) {
            // relaxed: as in thread_of.
            if (thread_of(w) == thread && !w.vacant.load(std::memory_order_relaxed)) {
                found = &w;
            }
            return found != nullptr;
        });
    }
    return found;
}

bool crew::guard_setxid() noexcept
{
    return base::os::guard_setxid(
        [](int thread) noexcept {
            const worker* const w = on_thread(thread);
            return w != nullptr ? w->own_thread_pointer : base::os::thread_pointer{0};
        },
        [](int thread, base::os::signal_set blocked) noexcept {
            if (worker* const w = on_thread(thread); w != nullptr) {
                fiber::send_pending_on(*w, blocked);
            }
        });
}

bool crew::nudge_carrier_of(const fiber::fiber& f) noexcept
{
    // A later carrier sees the signal that was left. Without such a fence, during a switch, it sees
    // it at the next switch.
    base::os::fence_on_all_threads();
    const crew* const c = made();
    // If no persona was ever made the handler may not be installed yet.
    if (c == nullptr || !guard_setxid()) {
        return false;
    }
    const bool found = c->any_worker([&](worker& w) {
        // relaxed: ordered by the fence.
        if (std::atomic_ref(w.current).load(std::memory_order_relaxed) != &f) {
            return false;
        }
        base::os::nudge(thread_of(w));
        return true;
    });
    if (!found && f.type == fiber::kind::bound) {
        // Its OS thread may run a plain fiber, which gets its signals, too.
        base::os::nudge(thread_of(static_cast<const worker&>(*f.last)));
    }
    return found;
}

}  // namespace artel::sched
