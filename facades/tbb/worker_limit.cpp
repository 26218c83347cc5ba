// How many workers arenas may have: the counts, and whether an arena gets one more or has too many.
#include "arena.hpp"
#include "control.hpp"
#include "sched/alarm.hpp"

namespace artel::onetbb {

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
    if (!further) {
        // Whoever is still refused when all are asked (limit_changed) writes it again.
        refused_since_.store(0, std::memory_order_relaxed);
    }
}

// All workers that are allowed are elsewhere.
void arena::was_refused() noexcept
{
    refused_.store(true, std::memory_order_relaxed);  // relaxed: a hint
    note_refusal();
}

void arena::note_refusal() noexcept
{
    // relaxed, all: hints.
    if (!another_was_refused_.load(std::memory_order_relaxed)) {
        another_was_refused_.store(true, std::memory_order_relaxed);
    }
    remember_refusal();
}

void arena::remember_refusal() noexcept
{
    // relaxed, both: see the declaration.
    if (refused_since_.load(std::memory_order_relaxed) == 0) {
        refused_since_.store(sched::now(), std::memory_order_relaxed);
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
// with the slots that it has, until none is left. Only when none has left for a while, because all
// are blocked or have long tasks, one more comes.
bool arena::gets_one_anyway(unsigned allowed, unsigned here) const noexcept
{
    // relaxed, both: a guess; limit_changed() is called when nobody waits any more, and when one
    // more may come.
    return unlimited() || (here == 0 && (!worker_limit_is_set() || needs_worker(allowed)) &&
                           (allowed == 0 || queueing_.load(std::memory_order_relaxed) == 0 ||
                            one_more_.load(std::memory_order_relaxed)));
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
    refused_since_.store(0, std::memory_order_relaxed);
    one_more_.store(false, std::memory_order_relaxed);
    outranked_.store(false, std::memory_order_relaxed);
    another_was_refused_.store(false, std::memory_order_relaxed);
}

}  // namespace artel::onetbb
