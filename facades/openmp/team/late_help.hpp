// Members of a hot team that have done their part run tasks of those that are still at work, until
// the master starts the next region. Two words: `used`, whether a member of the region has queued a
// task, and `helpers`, how many members look for some between two regions.
//
// Nobody helps across the beginning of a region, of which it may be no member. Whoever helps counts
// itself in and then looks at `used`; the master, when the region has ended, takes `used` back and
// then waits until nobody is counted: one of the two sees the other. In the next region `used`
// rises again; who sees that also sees that the gate has opened. late_help_model.cpp.
#pragma once

#include <atomic>

namespace artel::openmp {

// A member of the region is about to queue a task.
inline void note_task(std::atomic<bool>& used) noexcept
{
    // relaxed: once is enough.
    if (!used.load(std::memory_order_relaxed)) {
        // release: pairs with the load in help_late(): that the region has begun.
        used.store(true, std::memory_order_release);
    }
}

// Calls help() and returns what it does, if there may be tasks and same_region().
template <typename SameRegion, typename Help>
bool help_late(std::atomic<bool>& used, std::atomic<unsigned>& helpers, SameRegion same_region,
               Help help) noexcept
{
    if (!used.load(std::memory_order_relaxed)) {  // relaxed: a look; repeated below
        return false;
    }
    bool helped = false;
    // seq_cst: store-buffering pair with end_late_help(): it waits for us or we see its word.
    helpers.fetch_add(1, std::memory_order_seq_cst);
    // seq_cst: as above.
    if (used.load(std::memory_order_seq_cst) && same_region()) {
        helped = help();
    }
    // release: pairs with the acquire in end_late_help().
    helpers.fetch_sub(1, std::memory_order_release);
    return helped;
}

// The master, when all members have arrived: afterwards nobody helps before the next region.
// pause(): a helper looks at a few queues, unless it was suspended in the middle of a task's end.
template <typename Pause>
void end_late_help(std::atomic<bool>& used, std::atomic<unsigned>& helpers, Pause pause) noexcept
{
    // relaxed: set by members, who have been joined.
    if (!used.load(std::memory_order_relaxed)) {
        return;
    }
    // seq_cst: pairs with help_late().
    used.store(false, std::memory_order_seq_cst);
    // seq_cst: as above; acquire: what the helper did.
    while (helpers.load(std::memory_order_seq_cst) != 0) {
        pause();
    }
}

}  // namespace artel::openmp
