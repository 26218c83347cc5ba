// The crew: the process's single set of workers. Made at first use, never destroyed (its threads
// end with the process, or while nobody needs them: end_threads()); the child of a fork makes a new
// one. Worker threads are created when there is first work for them.
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

namespace artel::sched {

class crew : public crew_table, public crew_load {
public:
    // The process's crew. Any thread; the first call reads options and topology (about 0.1 ms).
    static crew& get() noexcept;

    // Records the CPU that the calling OS thread, which carries `w`, runs on; whether that has
    // changed. Takes nanoseconds.
    static bool note_cpu(worker& w) noexcept;
    // Records the caller's CPU, if it is a worker inside of the crew. Called before it wakes
    // another thread, which the kernel often puts on the waker's CPU.
    static void note_cpu_of_waker() noexcept;
    // Records the CPU of `w`, and returns whether a thread may be waiting for `w` to leave it: one
    // of the crew that does not sleep and was last seen there, or one that is starting. An
    // estimate. Takes time proportional to the number of workers.
    bool shares_cpu(worker& w) const noexcept;
    // If another thread of the crew that does not sleep was last seen on the CPU of `w`: moves `w`
    // to a CPU of its affinity mask on which none was, unless `w` is a guest or was moved lately.
    // The mask is unchanged afterwards. Takes some microseconds.
    void leave_shared_cpu(worker& w) const noexcept;
    // Notes the CPU of a worker that the kernel has just started, woken or moved, and moves it if
    // that CPU is shared, unless there are more busy threads than CPUs anyway.
    void leave_cpu_if_shared(worker& w) const noexcept;
    // The worker slot of the calling OS thread, which becomes a guest at its first call; nullptr
    // when the table is full.
    worker* enter() noexcept;

    // Called when an external thread gets a stream of its own and carries no other one. It then
    // counts like a second external thread: own_worker_limit() rises to width().
    void guest_keeps_to_its_own() noexcept;

    // Own worker number i (0 <= i < own_worker_limit()), created if it does not exist yet. nullptr
    // when the system gives no more threads; then that is remembered and own_worker_limit() no
    // longer promises it.
    worker* own_worker(unsigned i) noexcept;

    // An external thread starts / stops counting as one of the busy threads, so that no more own
    // threads are woken than fit beside it.
    void guest_begins(worker& w) noexcept;  // `w`: the thread's slot
    void guest_ends(worker& w) noexcept;

    // Starts the thread that adds reserve workers when light threads wait for one that never yields
    // (monitor.cpp). Idempotent.
    void start_monitor() noexcept;
    // The same, but if one of the crew's own threads is just starting, that thread does it before
    // it runs anything, because the caller has a loop to run.
    void start_monitor_soon() noexcept;

    // Called after work that must run concurrently was queued, by callers that were promised more
    // threads than the crew has: when no own worker is idle and no reserve is on its way, wakes or
    // creates an OS thread at once, without waiting for the monitor.
    void call_reserve() noexcept;

    // Ends the crew's OS threads, if nobody uses it, and returns when the kernel has forgotten
    // them: a program may then do what the kernel grants to a process of one thread only. They come
    // back with the next use. False when some are in use; those have stayed, and the others have
    // ended. For a thread that the crew does not carry. Blocks, for the time for which idle workers
    // spin and some tenths of a second at most. See departure.cpp.
    static bool end_threads() noexcept;

    // Gives the calling OS thread, which serves the whole process, the CPUs of the thread that
    // first used the crew: the thread that has started it may be bound to one CPU.
    static void take_program_cpus() noexcept;

    // Makes setuid() and its kin work while OS threads carry light threads with other thread
    // pointers (base/os/setxid.hpp). Called before the first of these runs, when its pthread
    // exists.
    static bool guard_setxid() noexcept;

    // Called after a signal was left to a persona or a bound fiber (fiber::leave_signal): its
    // current carrier sends the signal on. False when it has none; it gets the signal when it is
    // next carried. Also in signal handlers.
    static bool nudge_carrier_of(const fiber::fiber& f) noexcept;

    // Called after work that any worker may take became visible in a queue of `near`: wakes or
    // creates a worker for it unless one is searching already or enough are busy. Contains the full
    // fence that orders the caller's push before the look at sleepers.
    void notify(worker* near) noexcept
    {
        // pairs with the fence in idle(): its last look sees our work, or we see it announced.
        base::full_fence();
        // relaxed (all): ordered after the work by the fence.
        if (free_.searching.load(std::memory_order_relaxed) == 0 &&
            (free_.idle.load(std::memory_order_relaxed) != 0 ||
             own_worker_count_.load(std::memory_order_relaxed) <
                 own_worker_limit_.load(std::memory_order_relaxed))) {
            wake_somebody(near);
        }
    }

    // Called after the owner of `w` has pushed a task that is left to waiting threads
    // (left_tasks.hpp): wakes an idle external thread that waits, and makes the monitor check.
    void leave_task(worker& w) noexcept;
    // In a crew of one thread: makes a worker take all tasks that threads have left in their
    // deques. For callers that were promised a worker.
    void take_left_tasks() noexcept;
    // Whether only such tasks of `w` are visible; then the monitor looks at them.
    bool left_by(const worker& w) noexcept;

    // Steals work from other workers, but no foreign code that `w` may not carry. nullptr when
    // there is none. Called by the OS thread of `w`.
    base::work* take_from_others(worker& w) noexcept { return steal(w, true, true); }

    // Whether others have tasks that any worker may take. An estimate from eight of them.
    bool others_have_tasks(const worker& w) const noexcept;

    // Whether the calling thread blocks exactly the signals that the crew's threads, or the light
    // thread on it, block. If not, it may be in a signal handler, which may have interrupted
    // anything. A system call.
    bool usual_signal_mask(const worker& w) const noexcept;

    // Called by a reserve that has found nothing to do: whether its OS thread ends now, because the
    // monitor wants it to. If so nobody relies on it any more.
    bool ends_now(worker& w) noexcept;

    // The loop of an idle worker (idle.cpp): search, announce, spin, sleep. Returns work, or
    // nullptr when own queues need a look.
    base::work* idle(worker& w) noexcept;

    // Forwards mail of a guest or a reserve whose thread has ended to one of the crew's own
    // threads. Called by the thread that made the slot vacant, or by one that has posted there and
    // made a full fence since.
    void forward_mail(worker& ended) noexcept;

    // Why the monitor has started or woken a reserve.
    enum class cause : std::uint8_t {
        spinning,  // light threads wait behind one that computes and does not switch
        blocked,   // they wait behind one that is blocked in the kernel, or long without a CPU
        promised   // members that nobody has started, and all workers are stuck
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
    friend class monitor;
    crew() noexcept;
    worker* add(role r, unsigned seat = own_index) noexcept;
    static constexpr unsigned own_index = ~0u;
    void guest_comes() noexcept;
    void raise_own_worker_limit() noexcept;
    // The process's crew; nullptr if there is none yet, as in the child of a fork.
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
    bool unused_cpus(const worker* except, const cpu_set_t& allowed,
                     cpu_set_t& unused) const noexcept;
    // Whether another thread of the crew that does not sleep was last seen on that CPU.
    bool another_is_on(const worker& w, int cpu) const noexcept;
    // called by the maker: chooses the CPUs on which the new thread starts.
    void start_apart(worker& w, pthread_attr_t& attributes) const noexcept;
    // called by the new thread: takes its maker's affinity mask, or the program's when it comes
    // back; then its own binding.
    static void leave_start_mask(worker& w) noexcept;
    void settle_down(worker& w) const noexcept;

    // Called after active() has risen by a seq_cst operation of the caller, or of the thread that
    // took it out of the idle set: wakes a monitor that sleeps because nobody was active. Otherwise
    // members behind a blocked worker would wait for as long as it sleeps.
    void rouse_monitor() noexcept
    {
        // seq_cst: pairs with the fence in the monitor.
        if (monitor_sleeps_.load(std::memory_order_seq_cst) != 0) [[unlikely]] {
            wake_monitor();
        }
    }
    void wake_monitor() noexcept;
    base::work* look_for_work(worker& w, bool& must_look_again) noexcept;
    base::work* stop_idling(worker& w, bool owing, bool& must_look_again) noexcept;
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
    void stop_resting(worker& w) noexcept;
    void end_rested(worker& w) noexcept;
    // reserve_threads.cpp
    bool add_reserve(cause why) noexcept;
    void has_ended(worker& w) noexcept;
    void leave_slot(worker& w) noexcept;
    // monitor_thread.cpp
    static void* monitor_main(void* argument);
    bool monitor_ends() noexcept;
    // departure.cpp
    static bool may_leave(worker& w) noexcept;
    static bool departs(worker& w) noexcept;
    static void bring_back(parker& bed) noexcept;
    bool end_thread_of(worker& w, std::int64_t end) noexcept;
    bool end_monitor() noexcept;

    // the signal mask of the thread that first used the crew, and of our threads.
    sigset_t program_mask_{};
    // external threads inside the crew; guarded by growing_.
    unsigned guests_ = 0;
    bool several_came_ = false;  // there were once two or more at a time; guarded by growing_
    // how long thieves leave a ticket alone (too_young); in base::cycles().
    std::uint64_t patience_ = 0;

    // held while an own thread is created, so that later callers learn whether that was possible.
    base::spinlock creation_;
    // guards creation and ownership of slots; held briefly (threads are created outside).
    base::spinlock growing_;
    std::atomic<unsigned> reserve_count_{0};
    // relaxed: statistics.
    std::array<std::atomic<std::uint64_t>, causes> reserves_added_{};
    // Reserves that the monitor has started or woken and that have not had a CPU since. relaxed:
    // the monitor looks at each tick.
    std::atomic<int> arriving_{0};
    // The sum of worker::concurrent_queued of guests that have ended. relaxed: as that.
    std::atomic<int> queued_by_ended_{0};
    // Slots of guests that have ended, for new ones; guarded by growing_.
    slot_set<max_workers> vacancies_;
    // reserve workers with nothing to do; guarded by growing_.
    std::atomic<worker*> resting_{nullptr};
    worker* ended_ = nullptr;  // slots of reserves whose thread has ended; guarded by growing_

    static constexpr unsigned monitor_none = 0;
    static constexpr unsigned monitor_running = 1;
    static constexpr unsigned monitor_to_end = 2;
    static constexpr unsigned monitor_refused = 3;  // the system gives no thread for it
    // One of these. acq_rel where it changes: of several threads that change it only one continues.
    // The monitor sleeps on it between its ticks.
    std::atomic<unsigned> monitor_{monitor_none};
    // The kernel's number, told when it begins. relaxed: a number; see end_monitor().
    std::atomic<int> monitor_thread_{0};
    // For start_monitor_soon: `monitor_wanted`, plus `one_starting` for every own thread that has
    // started and not yet checked it. In one word that only read-modify-writes change, so a request
    // made while a thread starts precedes its check. relaxed, all: nothing else is published.
    static constexpr unsigned monitor_wanted = 1;
    static constexpr unsigned one_starting = 2;
    std::atomic<unsigned> starting_{0};
    // The affinity mask of the thread that first used the crew, for OS threads that come back. Not
    // when there are more CPUs than a cpu_set_t can hold.
    cpu_set_t program_cpus_{};
    bool program_cpus_known_ = false;
};

}  // namespace artel::sched
