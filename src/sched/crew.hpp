// The crew: the one set of workers of the process. Made at first use, never destroyed (its threads
// end with the process); the child of a fork makes a fresh one. Worker threads are created when
// there is first something for them to do.
#pragma once

#include "base/spinlock.hpp"
#include "sched/crew_load.hpp"
#include "sched/crew_table.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <pthread.h>
#include <sched.h>
#include <vector>

namespace artel::topology {
struct cpu;
}

namespace artel::sched {

class crew : public crew_table, public crew_load {
public:
    // The process's crew. Any thread; the first call reads options and topology (about 0.1 ms).
    static crew& get() noexcept;

    // Notes on which CPU the calling OS thread, which carries `w`, runs. Whether that is another
    // one than last time. Some nanoseconds.
    static bool note_cpu(worker& w) noexcept;
    // Notes it of the caller, if that is a worker inside of the crew: before it wakes somebody,
    // whom the kernel likes to put beside the waker.
    static void note_cpu_of_waker() noexcept;
    // Notes it of `w`, and tells whether another thread of the crew that does not sleep was last
    // seen there: then that one may be waiting for `w` to leave it. A guess. Takes as long as there
    // are workers.
    bool shares_cpu(worker& w) const noexcept;
    // For a worker that shares a CPU for longer than a moment: moves it to a CPU of its affinity
    // mask on which nobody of the crew was last seen, unless it is a guest or has been moved
    // lately. The mask stays as it is. Takes some microseconds.
    void leave_shared_cpu(worker& w) const noexcept;
    // The same at once, for a worker that has just been woken or moved by the kernel and has a CPU
    // of its own to go to.
    void leave_cpu_if_shared(worker& w) const noexcept;
    // The worker slot of the calling OS thread, which becomes a guest at its first call; nullptr
    // when the table is full.
    worker* enter() noexcept;

    // An external thread has a stream of its own, and carries nobody else's: as for the second
    // external thread, there can be as many own threads as CPUs.
    void guest_keeps_to_its_own() noexcept;

    // Own worker number i (0 <= i < member_limit()), created if it does not exist yet. nullptr when
    // the system gives no more threads; then that is remembered and member_limit() no longer
    // promises it.
    worker* member(unsigned i) noexcept;

    // An external thread begins / ends to count as one of the busy threads, so that no more own
    // threads are woken than fit beside it.
    void guest_begins(worker& w) noexcept;  // `w`: the thread's slot
    void guest_ends(worker& w) noexcept;

    // Starts the thread that adds reserve workers when light threads wait for one that never yields
    // (monitor.cpp). Idempotent.
    void start_monitor() noexcept;
    // The same, but if one of the crew's own threads is only starting, that one does it, before it
    // runs anything: the caller has a loop to run.
    void start_monitor_soon() noexcept;

    // Work that was promised to run beside all else has been queued: where no member is idle, and
    // no reserve on its way, one more OS thread is woken or created for it, instead of when the
    // monitor has seen that nobody comes. For who was told to have more threads than the crew has.
    void call_reserve() noexcept;

    // For a facade that has something to see to now and then: the monitor calls it once a second,
    // and counts the calls, as long as it is not asleep because nobody is active. A few in the
    // process. It should not block.
    using second_hook = void (*)(unsigned second) noexcept;
    static void call_each_second(second_hook hook) noexcept;

    // Makes setuid() and its kin work while OS threads carry light threads with thread pointers of
    // their own (base/os/setxid.hpp). Before the first of those runs, when its pthread exists.
    static bool guard_setxid() noexcept;

    // A signal has been left to a persona or a bound fiber (fiber::leave_signal): whoever carries
    // it now sends it on. Nobody: false, and it gets the signal when it is next carried. In signal
    // handlers, too.
    static bool nudge_carrier_of(const fiber::fiber& f) noexcept;

    // Work that anybody may take has become visible in a queue of `near`: wakes or creates a worker
    // for it unless one is searching already or as many are busy as should be. Contains the full
    // fence that orders the caller's push before the look at sleepers.
    void notify(worker* near) noexcept
    {
        // pairs with the fence in idle(): our work is seen by its last look or we see it announced.
        base::full_fence();
        // relaxed (all): ordered after the work by the fence.
        if (free_.searching.load(std::memory_order_relaxed) == 0 &&
            (free_.idle.load(std::memory_order_relaxed) != 0 ||
             member_count_.load(std::memory_order_relaxed) <
                 member_limit_.load(std::memory_order_relaxed))) {
            wake_somebody(near);
        }
    }

    // For tasks that are left to whoever waits (left_tasks.hpp), one of which now lies in the deque
    // of `w`: wakes an external thread that waits and has nothing to do, and lets the monitor look.
    void leave_task(worker& w) noexcept;
    // Whether nothing but such tasks of `w` is visible; then the monitor looks at them.
    bool left_by(const worker& w) noexcept;

    // Work that lies with other workers: any but foreign code that `w` may not carry. nullptr when
    // there is none to be had. By the OS thread of `w`.
    base::work* take_from_others(worker& w) noexcept { return steal(w, true, true); }

    // Whether some others have tasks that anybody may take. A guess, out of eight of them.
    bool others_have_tasks(const worker& w) const noexcept;

    // Whether the calling thread blocks just the signals that the threads of the crew block, or the
    // light thread on it. If not, it may be in a signal handler, which may have interrupted
    // anything. A system call.
    bool usual_signal_mask(const worker& w) const noexcept;

    // By a reserve that has found nothing to do: whether its OS thread ends now, because the
    // monitor wants it to. Then nobody counts on it any more.
    bool ends_now(worker& w) noexcept;

    // The life of an idle worker (idle.cpp): search, announce, spin, sleep. Returns work, or
    // nullptr when own queues need a look.
    base::work* idle(worker& w) noexcept;

    // What was posted to a guest or a reserve whose thread has ended goes to one of the crew's own
    // threads. By whoever has made it vacant, or has posted to it and made a full fence since.
    void forward_mail(worker& ended) noexcept;

    // Why the monitor has started or woken a reserve.
    enum class cause : std::uint8_t {
        spinning,  // light threads wait behind one that computes and does not switch
        blocked,   // they wait behind one that is blocked in the kernel, or long off the CPU
        promised   // members that nobody has begun, and all workers are stuck
    };
    static constexpr std::size_t causes = 3;
    std::uint64_t reserves_added(cause why) const noexcept
    {
        // relaxed: a statistic.
        return reserves_added_[static_cast<std::size_t>(why)].load(std::memory_order_relaxed);
    }
    // relaxed: a statistic.
    unsigned reserve_count() const noexcept
    {
        return reserve_count_.load(std::memory_order_relaxed);
    }

private:
    template <unsigned workers, unsigned width>
    friend struct model_crew;  // crew_model.hpp
    crew() noexcept;
    worker* add(role r, unsigned seat = own_index) noexcept;
    static constexpr unsigned own_index = ~0u;
    void guest_comes() noexcept;
    void raise_member_limit() noexcept;
    // The process's crew; nullptr as long as there is none, as in the child of a fork.
    static crew* made() noexcept;
    static worker* on_thread(int thread) noexcept;
    void vacate(worker& w) noexcept;  // vacancy.cpp; by the guest that ends
    bool forward(base::work& item) noexcept;
    static void release_guest(void* slot) noexcept;
    static void* thread_main(void* argument);
    static void before_fork() noexcept;
    static void after_fork_in_parent() noexcept;
    static void after_fork_in_child() noexcept;
    static const int fork_handlers;
    bool start_thread(worker& w) noexcept;
    void has_looked() noexcept;
    // placement.cpp
    void bind(const worker& w) const noexcept;
    bool unused_cpus(const worker* except, cpu_set_t& allowed, cpu_set_t& unused) const noexcept;
    // by the maker: where the new thread begins.
    void start_apart(worker& w, pthread_attr_t& attributes) const noexcept;
    // by the new thread: it may run where its maker may; and what it keeps to.
    static void leave_start_mask(worker& w) noexcept;
    void settle_down(worker& w) const noexcept;

    // The caller, or whoever it was taken out of the idle set by, has made active() rise by a
    // seq_cst operation: a monitor that sleeps because nobody was active goes on, or members behind
    // a blocked worker would wait for as long as it sleeps.
    void rouse_monitor() noexcept
    {
        // seq_cst: pairs with the fence in the monitor.
        if (monitor_sleeps_.load(std::memory_order_seq_cst) != 0) [[unlikely]] {
            wake_monitor();
        }
    }
    void wake_monitor() noexcept;
    base::work* look_for_work(worker& w, bool& must_look_again) noexcept;
    void wake_somebody(worker* near) noexcept;
    base::work* steal(worker& w, bool fibers_too, bool tasks_too) noexcept;
    base::work* steal_from(worker& w, worker& victim, bool fibers_too, bool tasks_too,
                           bool near) noexcept;
    bool owner_at_work(worker& victim) const noexcept;
    bool too_young(worker& victim) const noexcept;
    bool anything_visible(bool fibers_too, bool tasks_too) const noexcept;
    bool is_surplus(const worker& w) noexcept;
    bool still_active_after_mark(int least) noexcept;
    bool leave_idle(worker& w) noexcept;
    void rest(worker& w) noexcept;
    bool begin_search() noexcept;
    void end_search(worker& w) noexcept;

    // reserves.cpp
    void has_arrived(worker& w) noexcept;
    void is_to_arrive(worker& w) noexcept;
    worker* take_resting(bool any) noexcept;
    bool wake_resting(bool any, bool dedicated) noexcept;
    void retire_reserves() noexcept;
    void let_monitor_look() noexcept;
    template <class SeenOf>
    bool look_at_left_tasks(SeenOf&& seen_of) noexcept;
    void stop_resting(worker& w) noexcept;
    void end_rested(worker& w) noexcept;
    // monitor.cpp
    bool add_reserve(cause why) noexcept;
    void has_ended(worker& w) noexcept;
    void leave_slot(worker& w) noexcept;
    static void* monitor_main(void* argument);

    // signals blocked in the thread that used the crew first; so they are in our threads.
    sigset_t program_mask_{};
    // external threads that have entered and not ended; guarded by growing_.
    unsigned guests_ = 0;
    bool several_came_ = false;  // two of them or more at a time, once; guarded by growing_
    // for how long thieves leave a ticket alone (too_young); in base::cycles().
    std::uint64_t patience_ = 0;

    // one thread at a time creates an own thread, and learns whether that was possible.
    base::spinlock hiring_;
    // guards creation of slots, and who has them; held for short (a thread is created outside).
    base::spinlock growing_;
    std::atomic<unsigned> reserve_count_{0};
    // relaxed: statistics.
    std::array<std::atomic<std::uint64_t>, causes> reserves_added_{};
    // Reserves that have been started or woken by the monitor and have not had a CPU since.
    // relaxed: the monitor looks at each tick.
    std::atomic<int> arriving_{0};
    // worker::concurrent_queued of guests that have ended, taken together. relaxed: as that.
    std::atomic<int> queued_by_ended_{0};
    // Those of guests that have ended, for the next ones; guarded by growing_.
    slot_set<max_workers> vacancies_;
    // reserve workers with nothing to do; guarded by growing_.
    std::atomic<worker*> resting_{nullptr};
    worker* ended_ = nullptr;  // slots of reserves whose thread has ended; guarded by growing_

    std::atomic<bool> monitor_started_{false};
    // For start_monitor_soon: `monitor_wanted`, and `one_starting` for every own thread that has
    // not looked whether it is. Both in one word, which is only ever changed by single operations:
    // these have an order by themselves, so whoever wants a monitor while somebody is starting
    // comes before that one's look. Relaxed, by all: nothing else is published.
    static constexpr unsigned monitor_wanted = 1;
    static constexpr unsigned one_starting = 2;
    std::atomic<unsigned> starting_{0};
};

// The CPU that belongs to the worker of that number. The first is left to the program's main
// thread, which is usually the first guest.
const topology::cpu& place_of(unsigned index) noexcept;

// For a facade whose user asks for binding: workers made from now on belong to these CPUs (OS
// indices) in turn, and keep to them unless ARTEL_BIND says otherwise. Indices that the process may
// not use are left out; without any, nothing changes. Once, before the crew is first used. May
// throw std::bad_alloc.
void prefer_cpus(const std::vector<unsigned>& os_indices);

// How many threads can be kept running: the effective CPUs, or fewer when fewer are preferred.
unsigned usable_cpus() noexcept;

}  // namespace artel::sched
