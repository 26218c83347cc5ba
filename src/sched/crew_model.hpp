// A crew for models: the real scheduling loop, idle protocol, parkers, queues and fiber switch
// (their sources are included at the end) on simulated OS threads (os_threads_model.hpp). The
// making of workers is simulated, too: they all exist from the start. guest_begins and guest_ends
// are as in guests.cpp, without the monitor and left tasks.
//
// A model derives from model_crew; its thread function calls begin(number) and then acts as worker
// `number`. serve() gives the OS thread to the scheduling loop until release(number) is called. A
// lost wake-up leaves a thread in serve() for ever, which relacy reports as a deadlock.
#pragma once

#include "sched/os_threads_model.hpp"

#include "sched/crew.hpp"
#include "sched/program_regions.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

namespace artel::sched {

alignas(crew) inline char model_crew_storage[sizeof(crew)];
alignas(worker) inline char model_worker_storage[max_workers][sizeof(worker)];
inline unsigned model_width = 0;
inline unsigned model_workers = 0;  // made so far

crew& crew::get() noexcept
{
    return *reinterpret_cast<crew*>(model_crew_storage);
}

crew::crew() noexcept
{
    width_ = model_width;
    own_worker_limit_.store(0, std::memory_order_relaxed);
    spin_cycles_ = 2000;
}

worker* crew_workers::add(role r, unsigned) noexcept
{
    const unsigned n = model_workers++;
    auto* const w = new (model_worker_storage[n]) worker(crew::get(), n, r, n);
    table_[n].store(w, std::memory_order_relaxed);
    table_size_.store(n + 1, std::memory_order_relaxed);
    in_use_.insert(n);
    if (r == role::own) {
        present_.fetch_add(1, std::memory_order_relaxed);
    }
    return w;
}

worker* crew_workers::enter() noexcept
{
    return this_worker();
}

worker* crew_workers::own_worker(unsigned) noexcept
{
    return nullptr;
}

void crew_wakeup::guest_begins(worker&) noexcept
{
    present_.fetch_add(1, std::memory_order_relaxed);
}

void crew_monitor::wake_monitor() noexcept {}
bool crew_workers::may_leave(worker& w) noexcept
{
    w.bed.cancel();
    return false;
}

// Receives the mail of a guest that has ended.
inline worker* model_forward_to = nullptr;

bool crew_workers::forward(base::work& item) noexcept
{
    if (model_forward_to == nullptr) {
        return false;
    }
    post(*model_forward_to, item, item);
    return true;
}

void crew_wakeup::guest_ends(worker& w) noexcept
{
    present_.fetch_sub(1, std::memory_order_relaxed);
    // for the seq_cst accesses of the real one, which relacy does not order with fences.
    base::full_fence();
    bool wanted = false;
    if (held_back_.load(std::memory_order_relaxed)) {
        held_back_.store(false, std::memory_order_relaxed);
        base::full_fence();
        wanted = anything_visible(true, true);
    }
    if (wanted || !w.ready.empty() || !w.mail.empty()) {
        notify(nullptr);
    }
}

bool crew_placement::shares_cpu(worker&) const noexcept
{
    return false;
}

void crew_placement::leave_shared_cpu(worker&) const noexcept {}

void crew_placement::leave_cpu_if_shared(worker&) const noexcept {}

void crew_placement::note_cpu_of_waker() noexcept {}

bool crew_placement::note_cpu(worker&) noexcept
{
    return false;
}

preempted preempted_peer_watch::look(worker&) noexcept
{
    return preempted::nobody;
}

// Work that runs a function of the model.
struct job : base::work {
    void (*body)(job&) = nullptr;
    static void call(void*, base::work& self)
    {
        static_cast<job&>(self).body(static_cast<job&>(self));
    }
};

using model::os_event;

// The base of a model's state. `workers` of them, at most `width` of which should be busy at a
// time.
template <unsigned workers, unsigned width>
struct model_crew {
    model_crew()
    {
        for (fiber::tls_block& t : fiber::model_tls) {
            t = {};
        }
        std::fill(std::begin(fiber::model_running), std::end(fiber::model_running), nullptr);
        fiber::model_stacks_used = 0;
        fiber::model_no_memory = false;
        model_forward_to = nullptr;
        model_several_regions = false;
        model_width = width;
        model_workers = 0;
        auto* const c = new (model_crew_storage) crew;
        for (unsigned i = 0; i < workers; ++i) {
            c->add(role::own);
        }
    }
    ~model_crew()
    {
        for (unsigned i = 0; i < workers; ++i) {
            number(i).~worker();
        }
        crew::get().~crew();
    }
    model_crew(const model_crew&) = delete;
    model_crew& operator=(const model_crew&) = delete;

    worker& number(unsigned i) { return *reinterpret_cast<worker*>(model_worker_storage[i]); }

    // Guest i ends, and does not come back.
    void end(unsigned i) { crew::get().vacate(number(i)); }
    // The monitor's operations on reserves.
    void end_reserve(unsigned i) { crew::get().end_rested(number(i)); }
    bool wake_reserve() { return crew::get().wake_resting(true, false); }
    // The number of reserves that the monitor believes to wait for a CPU.
    int arriving() { return crew::get().arriving_.load(std::memory_order_relaxed); }
    // The calling simulated OS thread becomes worker i.
    worker& begin(unsigned i)
    {
        worker& w = number(i);
        fiber::adopt_thread(w, w.base);
        return w;
    }
    // Lets the worker work until release(). Call on the OS thread's own stack.
    void serve()
    {
        const auto suspended = [](fiber::carrier&, fiber::fiber&, void* event) {
            static_cast<os_event*>(event)->add();
        };
        model::check(suspend(suspended, &serves_[this_worker()->index]),
                     "no stack for a scheduling loop");
    }
    void release(unsigned i)
    {
        serves_[i].wait_for(1);  // only a suspended fiber may be made ready
        make_ready(number(i).base);
    }

private:
    os_event serves_[workers];
};

using model::linger;

// See linger: falling asleep takes about 150 steps.
constexpr unsigned long_enough = 200;
constexpr unsigned after_push = 30;

}  // namespace artel::sched

#include "fiber/switch.cpp"
#include "sched/blocking_unit.cpp"
#include "sched/idle.cpp"
#include "sched/loop.cpp"
#include "sched/pool.cpp"
#include "sched/program_regions.cpp"
#include "sched/push.cpp"
#include "sched/ready.cpp"
#include "sched/reserves.cpp"
#include "sched/search.cpp"
#include "sched/steal.cpp"
#include "sched/stream.cpp"
#include "sched/stream_group.cpp"
#include "sched/suspend.cpp"
#include "sched/vacancy.cpp"
#include "sched/wake.cpp"
#include "sched/yield.cpp"
