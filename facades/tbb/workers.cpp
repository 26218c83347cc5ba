// The workers of arenas, which are personas: how many there may be, what they do, and when they
// leave.
#include "arena.hpp"
#include "control.hpp"
#include "dispatch.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"

#include <algorithm>
#include <utility>

namespace artel::onetbb {
namespace {

// A persona that has served an arena for longer lets other arenas have the worker.
constexpr std::uint64_t longest_turn = 2000;  // microseconds

}  // namespace

// Counts one more worker that the program limits; false if that would be too many.
bool arena::count_worker(unsigned allowed) noexcept
{
    // relaxed, both: a count by itself.
    unsigned n = all_workers_.load(std::memory_order_relaxed);
    do {
        if (n >= allowed) {
            return false;
        }
    } while (!all_workers_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed));
    return true;
}

// A worker is gone. Where one had come beyond the limit, the others are within it from now on.
void arena::count_worker_out() noexcept
{
    // relaxed, all: see the declarations.
    unsigned n = further_.load(std::memory_order_relaxed);
    while (n != 0 && !further_.compare_exchange_weak(n, n - 1, std::memory_order_relaxed)) {
    }
    const bool further = unlimited() || n != 0;
    (further ? further_workers_ : all_workers_).fetch_sub(1, std::memory_order_relaxed);
}

// All workers that are allowed are elsewhere.
void arena::was_refused() noexcept
{
    // relaxed, all: hints.
    refused_.store(true, std::memory_order_relaxed);
    if (!another_was_refused_.load(std::memory_order_relaxed)) {
        another_was_refused_.store(true, std::memory_order_relaxed);
    }
}

// Whether there are tasks that get one worker, whatever the limits: enqueued ones, and those that
// workers have left, who may have come for enqueued tasks. But where workers are allowed, tasks
// that were left wait for one of these.
bool arena::needs_worker(unsigned allowed) const noexcept
{
    // relaxed: set before anybody else could come.
    return !enqueued.empty() || left_behind_.load(std::memory_order_relaxed) ||
           (has_no_workers(allowed) && owes());
}

// Whether the arena, which has `here` workers, gets one although all that are allowed have come:
// its first. Perhaps all others wait for its tasks. Where the program has set the limit, only tasks
// that need a worker get it. But while threads wait for slots of arenas, the workers that exist go
// on first, as in the stock library, where there are no others: each further one could come to wait
// with the slots that it has, until none is left.
bool arena::gets_one_anyway(unsigned allowed, unsigned here) const noexcept
{
    // relaxed: a guess; limit_changed() is called when nobody waits any more.
    return unlimited() || (here == 0 && (!worker_limit_is_set() || needs_worker(allowed)) &&
                           (allowed == 0 || queueing_.load(std::memory_order_relaxed) == 0));
}

// Requests a worker, if there may be one more; whether a requested one will come.
bool arena::request_worker() noexcept
{
    const unsigned allowed = allowed_workers();
    const bool needed = needs_worker(allowed);
    // relaxed, here and below: guesses. Counting is exact.
    if (ticket_out_.load(std::memory_order_relaxed)) {
        if (needed) {
            // The ticket may lie among the tasks that a thread has left in a crew of one.
            sched::crew::get().take_left_tasks();
        }
        return true;
    }
    const unsigned here = workers_.load(std::memory_order_relaxed);
    if (here >= std::max(std::min(max_workers_, allowed), needed ? 1U : 0U)) {
        return false;
    }
    // Cheaper than the question to arenas of higher priority, so it comes first.
    const bool anyway = gets_one_anyway(allowed, here);
    if (!anyway && all_workers_.load(std::memory_order_relaxed) >= allowed) {
        was_refused();
        return false;
    }
    if (levels_differ() && here >= left_by_higher_levels(false)) {
        return false;
    }
    if (!slot_free(true)) {
        slot_lacked_.exchange(true, std::memory_order_seq_cst);  // seq_cst: before the fence
        // pairs with the fence in free_up().
        base::fence_after_change();
        if (!slot_free(true)) {
            return false;
        }
    }
    // Counted before the ticket is out, because others rely on a ticket that is out.
    const bool further = unlimited() || !count_worker(allowed);
    if (further) {
        if (!anyway) {
            was_refused();
            return false;
        }
        further_workers_.fetch_add(1, std::memory_order_relaxed);
    }
    // seq_cst: one ticket at a time; see work_added.
    if (ticket_out_.exchange(true, std::memory_order_seq_cst)) {
        (further ? further_workers_ : all_workers_).fetch_sub(1, std::memory_order_relaxed);
        if (!further) {
            limit_changed();  // another request may have been refused meanwhile
        }
        return true;
    }
    if (further && !unlimited()) {
        further_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see the declaration
    }
    // seq_cst: see work_added.
    workers_.fetch_add(1, std::memory_order_seq_cst);
    refused_.store(false, std::memory_order_relaxed);
    refer();
    // A program that asks for more workers than CPUs, or enqueues without waiting, relies on them.
    const bool beyond_width = workers_beyond_width();
    if (!queue_ticket(needed || beyond_width)) {
        return false;
    }
    // Other threads may have enqueued tasks meanwhile, without finding the ticket. The fence of the
    // push orders this read after it, and pairs with the fence in enqueue().
    if (!needed && !enqueued.empty()) {
        sched::crew::get().take_left_tasks();
    }
    if (beyond_width) {
        sched::crew::get().call_reserve();
    }
    return true;
}

// The persona's job. It owns the ticket's reference.
bool arena::serve(void* self)
{
    arena& a = *static_cast<arena*>(self);
    try {
        thread& me = this_thread();
        me.counts = true;
        a.run_worker(me);
        return std::exchange(me.counts, false);
    } catch (const std::bad_alloc&) {  // no memory for the state of a thread
        a.stop_searching();
        return true;
    }
}

void arena::served(void* self, bool counted)
{
    static_cast<arena*>(self)->end_service(counted);
}

void arena::end_service(bool counted) noexcept
{
    if (counted) {
        one_worker_less();
    } else {
        // pairs with the fence in one_worker_less(): of two workers that leave, one sees the tasks
        // that both have left.
        base::full_fence();
        if (owes()) {
            look_again();
        }
    }
    end_if_left_behind();
    drop();
}

bool arena::time_is_up(std::uint64_t since) const noexcept
{
    return too_many_workers() || higher_levels_ask() ||
           (!unlimited() && another_asks() &&
            base::cycles() - since > longest_turn * base::cycles_per_microsecond());
}

void arena::run_worker(thread& me)
{
    // The persona may have an arena of its own from an earlier job.
    arena* const before = me.in;
    slot* const at = me.at;
    const unsigned index = me.index;
    const std::uint64_t seen = me.observers_seen;
    if (enter(me, true)) {
        serve_slot(me, true);
    } else {
        stop_searching();
    }
    me.in = before;
    me.at = at;
    me.index = index;
    me.observers_seen = seen;
    me.serves = false;
}

// Called by a persona in a slot, which it has left when this returns. `counted`: it begins as a
// searcher.
void arena::serve_slot(thread& me, bool counted) noexcept
{
    if (counted && observers.has_new_for(me)) {
        // The observer may wait for other threads.
        stop_searching();
        counted = false;
    }
    do {
        observers.tell_entry(me);
        std::uint64_t since = base::cycles();
        while (task* const t = seek(me, nullptr, std::exchange(counted, false))) {
            report_entry(me, *t);
            work(me, t, nullptr);
            if (!time_is_up(since)) {
                continue;
            }
            if (!me.stands_in) {
                break;
            }
            sched::yield_to_anybody();
            since = base::cycles();
        }
        observers.tell_exit(me);  // while it has its slot: the observer may run tasks
    } while (me.stands_in && !hand_slot_over(me, false));
    if (me.at != nullptr) {
        leave(me);
    } else {
        drop();  // another thread has the slot
    }
}

// A counted worker has left. The caller has a reference.
void arena::one_worker_less() noexcept
{
    count_worker_out();
    // seq_cst: see work_added. Requests may have been refused because of this worker.
    workers_.fetch_sub(1, std::memory_order_seq_cst);
    if (unlimited()) {
        base::fence_after_change();
    } else {
        limit_changed();  // makes a fence; other arenas are asked first
    }
    look_again();
}

// Whether there are tasks that a worker has left.
bool arena::owes() const noexcept
{
    // relaxed, both: see the declarations.
    const unsigned n = used_.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < n; ++i) {
        if (slot_[i].owed.load(std::memory_order_relaxed) && !slot_[i].pool.empty()) {
            return true;
        }
    }
    return false;
}

// For the only worker: whether there are tasks that no other thread runs, because they are owed or
// because the thread that has spawned them is not here.
bool arena::has_tasks_of_nobody() const noexcept
{
    // relaxed, all: a moment's view.
    unsigned occupied = 0;
    const unsigned n = used_.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < n; ++i) {
        const slot& s = slot_[i];
        const bool has_occupant = s.occupied.load(std::memory_order_relaxed);
        occupied += has_occupant ? 1 : 0;
        if ((!has_occupant || s.owed.load(std::memory_order_relaxed)) && !s.pool.empty()) {
            return true;
        }
    }
    return occupied <= 1 && (!submitted.empty() || !critical.empty());
}

bool arena::too_many_workers() const noexcept
{
    const unsigned allowed = allowed_workers();
    // relaxed, all: a moment's view. A worker that came in spite of the limit stays while it is
    // needed, and where the program has set no limit. While the program allows any workers, one
    // that leaves can come again.
    const unsigned within = all_workers_.load(std::memory_order_relaxed);
    const bool too_many = further_.load(std::memory_order_relaxed) == 0
                              ? within > allowed
                              : within >= allowed && worker_limit_is_set();
    return too_many && (workers_.load(std::memory_order_relaxed) != 1 ||
                        (enqueued.empty() && !left_behind_.load(std::memory_order_relaxed) &&
                         !(has_no_workers(allowed) && has_tasks_of_nobody())));
}

bool arena::all_quiet() noexcept
{
    // acquire: a moment's view; nothing relies on a pairing.
    return all_workers_.load(std::memory_order_acquire) == 0 &&
           further_workers_.load(std::memory_order_acquire) == 0;
}

void arena::forget_workers_after_fork() noexcept
{
    // relaxed, all: nobody else is here.
    further_workers_.store(0, std::memory_order_relaxed);
    all_workers_.store(0, std::memory_order_relaxed);
    tickets_.store(0, std::memory_order_relaxed);
    queueing_.store(0, std::memory_order_relaxed);
    another_was_refused_.store(false, std::memory_order_relaxed);
}

}  // namespace artel::onetbb
