// The crew: the one set of workers of the process. Made at first use, never destroyed (its threads end with the process); the child of a
// fork makes a fresh one. Worker threads are created when there is first something for them to do.
#pragma once

#include "sched/worker.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace artel::sched {

inline constexpr unsigned max_workers = 4096;  // members, guests and reserves together

class crew {
public:
    // The process's crew. Any thread; the first call reads options and topology (about 1 ms).
    static crew& get() noexcept;

    // How many OS threads should be busy at a time: ARTEL_NUM_THREADS or the effective CPUs.
    unsigned width() const noexcept { return width_; }
    // Own threads that can exist beside one participating external thread: width() - 1, at least 1.
    unsigned member_limit() const noexcept { return member_limit_; }
    // More workers than CPUs: spinning steals time from the one that is waited for.
    bool oversubscribed() const noexcept { return oversubscribed_; }
    // How long an idle worker, or a waiting light thread with nothing else to run, spins before it sleeps; in base::cycles().
    std::uint64_t spin_cycles() const noexcept { return spin_cycles_; }

    // The worker slot of the calling OS thread, which becomes a guest at its first call; nullptr when the table is full.
    worker* enter() noexcept;

    // Own worker number i (0 <= i < member_limit()), created if it does not exist yet. nullptr when the system gives no more threads;
    // then that is remembered and member_limit() no longer promises it.
    worker* member(unsigned i) noexcept;

    // Takes `w` from the idle set if it is there. Whoever succeeds must see to it that it wakes.
    // --- used by src/sched only -------------------------------------------------------------------------------------
    unsigned table_size() const noexcept { return table_size_.load(std::memory_order_acquire); }  // acquire: pairs with add()
    worker* at(unsigned i) const noexcept { return table_[i].load(std::memory_order_acquire); }   // acquire: as above

    // Work that anybody may take has become visible in a queue: wakes or creates a worker for it unless one is searching already or as
    // many are awake as should be. The caller has made the work visible before; a full fence is made here.
    void notify(worker* near) noexcept;

    // The life of an idle worker: search, announce, spin, sleep. Returns work, or nullptr when its own queues need a look.
    base::work* idle(worker& w) noexcept;

    // An external thread begins / ends to count as one of the busy threads.
    void guest_begins() noexcept;
    void guest_ends() noexcept;

    // A reserve worker beyond width(), for light threads that wait for one that spins. False when no thread can be made.
    bool add_reserve() noexcept;

    void start_monitor() noexcept;
    void after_fork_in_child() noexcept;

private:
    friend struct crew_access;
    crew() noexcept;
    worker* add(role r) noexcept;
    bool start_thread(worker& w) noexcept;
    void release_guest(worker& w) noexcept;
    static void* thread_main(void* argument);
    base::work* steal(worker& w, bool from_inboxes) noexcept;
    base::work* steal_from(worker& thief, worker& victim, bool from_inboxes) noexcept;
    bool anything_visible(const worker& w) const noexcept;
    void wake_idle(worker& v) noexcept;

    unsigned width_ = 1;
    unsigned member_limit_ = 1;
    bool oversubscribed_ = false;
    std::uint64_t spin_cycles_ = 0;

    std::mutex growing_;  // creation of workers; never held while work runs
    std::array<std::atomic<worker*>, max_workers> table_{};
    std::atomic<unsigned> table_size_{0};
    std::array<std::atomic<worker*>, max_workers> members_{};  // own threads by number
    std::atomic<unsigned> member_count_{0};

    alignas(base::cache_line) std::atomic<unsigned> searchers_{0};
    std::atomic<unsigned> idle_count_{0};
    std::atomic<int> active_{0};          // busy or searching workers and guests inside the crew
    std::atomic<bool> held_back_{false};  // a notify was not acted on because enough threads were active
};

// Pushes fork-join work on the caller's deque, for the caller to pop or others to steal. `w` is this_worker().
void push(worker& w, base::work& item) noexcept;

// Addresses work to a worker; wakes it if it sleeps. Any thread.
void post(worker& to, base::work& first, base::work& last) noexcept;

// --- light-thread level: may switch ---------------------------------------------------------------------------------

// Suspends the calling fiber; `after` runs when its context is saved and shows it to whoever will resume it. Meanwhile the OS thread does
// other work. Returns when resumed, perhaps on another worker (not for bound fibers). False, with nothing done, when there is no memory
// for a stack to go on with.
bool suspend(fiber::after_switch after, void* argument) noexcept;

// Lets other ready work of this worker go first. Returns whether something else ran.
bool yield() noexcept;

// Ends the calling fiber: as suspend, never returns. `after` may free or pool it.
[[noreturn]] void finish(fiber::after_switch after, void* argument) noexcept;

// Makes a suspended fiber runnable: a bound one on its own OS thread, any other in the caller's queue (or its last carrier's when the caller is
// not a worker). Any thread.
void make_ready(fiber::fiber& f) noexcept;

// As make_ready, but on the worker that carried it last: for light threads whose data should stay where they are.
void make_ready_at_home(fiber::fiber& f) noexcept;

}  // namespace artel::sched
