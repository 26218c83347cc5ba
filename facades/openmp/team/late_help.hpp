// Members of a hot team that have finished their part of a region run tasks of those still at work,
// until the master starts the next region. Two words: `used`, whether a member of the region has
// queued a task, and `helpers`, how many members look for tasks between two regions.
//
// Nobody may help across the start of the next region, which may not include the helper. A helper
// counts itself in and then checks `used`; when the region has ended, the master clears `used` and
// then waits until no helper is counted: one of the two sees the other. `used` rises again in the
// next region; a member that sees that also sees that the gate has opened. late_help_model.cpp.
#pragma once

#include <atomic>

namespace artel::openmp {

// A member of the region is about to queue a task.
inline void note_task(std::atomic<bool>& used) noexcept
{
    // relaxed: once is enough.
    if (!used.load(std::memory_order_relaxed)) {
        // release: pairs with the load in help_late(), which then sees that the region has begun.
        used.store(true, std::memory_order_release);
    }
}

// Calls help(), if there may be tasks and same_region() holds, and returns its result.
template <typename SameRegion, typename Help>
bool help_late(std::atomic<bool>& used, std::atomic<unsigned>& helpers, SameRegion same_region,
               Help help) noexcept
{
    if (!used.load(std::memory_order_relaxed)) {  // relaxed: checked again below
        return false;
    }
    bool helped = false;
    // seq_cst: store-buffering pair with end_late_help(): the master waits for us, or we see its
    // store.
    helpers.fetch_add(1, std::memory_order_seq_cst);
    // seq_cst: as above.
    if (used.load(std::memory_order_seq_cst) && same_region()) {
        helped = help();
    }
    // release: pairs with the acquire in end_late_help().
    helpers.fetch_sub(1, std::memory_order_release);
    return helped;
}

// Called by the master when all members have arrived: afterwards nobody helps before the next
// region. pause(): a helper only looks at a few queues, unless it is suspended in the middle of a
// task's end.
template <typename Pause>
void end_late_help(std::atomic<bool>& used, std::atomic<unsigned>& helpers, Pause pause) noexcept
{
    // relaxed: set by members, which have all arrived.
    if (!used.load(std::memory_order_relaxed)) {
        return;
    }
    // seq_cst: pairs with help_late().
    used.store(false, std::memory_order_seq_cst);
    // seq_cst: as above; its acquire half pairs with the release in help_late().
    while (helpers.load(std::memory_order_seq_cst) != 0) {
        pause();
    }
}

}  // namespace artel::openmp
