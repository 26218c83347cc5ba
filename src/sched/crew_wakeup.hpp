// Who looks for work, who sleeps, and who is woken: the wake-up policy (wake.cpp), the life of an
// idle worker (idle.cpp), and what it may take from others (search.cpp, steal.cpp). The protocol is
// in PROTOCOLS.md.
#pragma once

#include "base/cpu.hpp"
#include "sched/crew_workers.hpp"

#include <atomic>
#include <cstdint>

namespace artel::sched {

class crew_wakeup : public crew_workers {
public:
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

    // An external thread starts / stops counting as one of the busy threads, so that no more own
    // threads are woken than fit beside it.
    void guest_begins(worker& w) noexcept;  // `w`: the thread's slot
    void guest_ends(worker& w) noexcept;

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

    // The loop of an idle worker (idle.cpp): search, announce, spin, sleep. Returns work, or
    // nullptr when own queues need a look.
    base::work* idle(worker& w) noexcept;

protected:
    // Whether there is work that any worker may take. Called after a fence.
    bool anything_visible(bool fibers_too, bool tasks_too) const noexcept;

    // how long thieves leave a ticket alone (too_young); in base::cycles().
    std::uint64_t steal_delay_ = 0;

private:
    void wake_somebody(worker* near) noexcept;
    void make_missing_worker() noexcept;
    bool still_active_after_mark(int least) noexcept;
    base::work* look_for_work(worker& w) noexcept;
    base::work* stop_idling(worker& w, bool owing) noexcept;
    bool leave_idle(worker& w) noexcept;
    bool begin_search() noexcept;
    void end_search(worker& w) noexcept;
    bool is_surplus(const worker& w) noexcept;
    base::work* steal(worker& w, bool fibers_too, bool tasks_too) noexcept;
    base::work* steal_from(worker& w, worker& victim, bool fibers_too, bool tasks_too,
                           bool near) noexcept;
    bool owner_at_work(worker& victim) const noexcept;
    bool too_young(worker& victim) const noexcept;
};

}  // namespace artel::sched
