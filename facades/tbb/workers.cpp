// The workers of arenas, which are personas: how they are requested, what they do, and when they
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
        note_outranked();
        if (here >= left_by_higher_levels(false)) {
            return false;
        }
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
        if (!unlimited()) {
            one_more_.store(false, std::memory_order_relaxed);
        }
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
    let_other_tickets_go_first();
}

// Called by a worker that leaves. Its arena, or one that its tasks have used, may ask again at
// once. That ticket is then the worker's youngest task, and so the next, while those of others lie
// below it or at workers that are blocked. To look at all workers takes a while, so one worker does
// it in the time of a turn.
void arena::let_other_tickets_go_first() noexcept
{
    // relaxed, all: hints; of threads that race one looks.
    if (tickets_.load(std::memory_order_relaxed) == 0) {
        return;
    }
    std::uint64_t last = looked_at_others_.load(std::memory_order_relaxed);
    const std::uint64_t now = base::cycles();
    if (now - last > longest_turn * base::cycles_per_microsecond() &&
        looked_at_others_.compare_exchange_strong(last, now, std::memory_order_relaxed,
                                                  std::memory_order_relaxed)) {
        sched::let_others_go_first();
    }
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

}  // namespace artel::onetbb
