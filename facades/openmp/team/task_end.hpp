// How the end of a task's body propagates to its ancestors. One 64-bit word per task counts what
// others wait for: children whose bodies have not ended (for taskwait), and incomplete parts of the
// task, which are its own body and its children with all their descendants (for barriers and the
// lifetime of the record).
//
// A task is complete, and its record can be freed, when its last part is. A complete child takes a
// part off its parent; the thread that completes the child does so, which may be another thread
// that runs a descendant of it, as soon as the child's own part is off. So a body that leaves
// descendants behind is taken off the parent's children before its own part: afterwards nothing
// keeps the parent alive.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::openmp {

// The fields of the word.
struct task_bits {
    static constexpr std::uint64_t child = 1;
    static constexpr std::uint64_t children_mask = 0x7fffffff;
    static constexpr std::uint64_t waits_for_children = 1ull << 31;  // a waiter
    static constexpr std::uint64_t part = 1ull << 32;
    static constexpr std::uint64_t parts_mask = 0x7fffffffull << 32;
    static constexpr std::uint64_t waits_for_parts = 1ull << 63;  // a waiter
};

// Handles the end of the body of the explicit task `ended`. take_off(task, amount) subtracts from a
// task's word and wakes its waiters; after the last subtraction from an implicit task the caller's
// team may have passed its end. free(task) is called for each complete task.
template <class Task, class TakeOff, class Free>
void end_body(Task& ended, TakeOff take_off, Free free) noexcept
{
    Task* at = &ended;
    std::uint64_t for_parent = Task::child;
    // acquire: pairs with the release in the subtraction of the last descendant's part, after which
    // no descendant uses the task. A part that is alone need not be taken off: nobody else looks at
    // it.
    bool complete = (at->counts.load(std::memory_order_acquire) & Task::parts_mask) == Task::part;
    if (!complete) {
        take_off(*at->parent, for_parent);
        for_parent = 0;
        // acq_rel: what was done in the task happens before its completion, by whichever thread.
        complete = (at->counts.fetch_sub(Task::part, std::memory_order_acq_rel) &
                    Task::parts_mask) == Task::part;
    }
    while (complete) {
        Task* const parent = at->parent;
        free(*at);
        if (parent->is_implicit) {
            take_off(*parent, for_parent + Task::part);
            return;
        }
        if (for_parent != 0) {
            take_off(*parent, for_parent);  // our part still keeps the parent alive
            for_parent = 0;
        }
        at = parent;
        // acq_rel: as above.
        complete = (at->counts.fetch_sub(Task::part, std::memory_order_acq_rel) &
                    Task::parts_mask) == Task::part;
    }
}

}  // namespace artel::openmp
