// How the end of a task's body reaches the tasks above it. One 64-bit word per task counts what
// others wait for: children whose bodies have not ended, for taskwait, and parts of the task that
// are not complete (its own body and its children with all their descendants), for barriers and for
// the lifetime of its memory.
//
// A task is complete, and its memory free, when its last part is. A part of the parent is taken off
// by whoever completes the child, and that may be a descendant of the child on another thread, at
// once after the child's own part is off. So a body that leaves descendants behind is taken off the
// parent's children before its own part: afterwards nothing keeps the parent.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::openmp {

// The parts of the word.
struct task_bits {
    static constexpr std::uint64_t child = 1;
    static constexpr std::uint64_t children_mask = 0x7fffffff;
    static constexpr std::uint64_t waits_for_children = 1ull << 31;  // somebody
    static constexpr std::uint64_t part = 1ull << 32;
    static constexpr std::uint64_t parts_mask = 0x7fffffffull << 32;
    static constexpr std::uint64_t waits_for_parts = 1ull << 63;  // somebody
};

// The body of the explicit task `ended` has ended. take_off(task, amount) takes an amount off a
// task's word and wakes who waits for it; for the last amount of an implicit task the caller's team
// may be through with its tasks afterwards. free(task) is called for each task that is complete.
template <class Task, class TakeOff, class Free>
void end_body(Task& ended, TakeOff take_off, Free free) noexcept
{
    Task* at = &ended;
    std::uint64_t for_parent = Task::child;
    // acquire: pairs with the release of whoever took off the last descendant's part: nothing of
    // theirs uses the task any more. Alone, its own part need not be taken off: nobody else looks.
    bool complete = (at->counts.load(std::memory_order_acquire) & Task::parts_mask) == Task::part;
    if (!complete) {
        take_off(*at->parent, for_parent);
        for_parent = 0;
        // acq_rel: what was done in the task happens before its end, whoever brings that.
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
            take_off(*parent, for_parent);  // our part still keeps the parent
            for_parent = 0;
        }
        at = parent;
        // acq_rel: as above.
        complete = (at->counts.fetch_sub(Task::part, std::memory_order_acq_rel) &
                    Task::parts_mask) == Task::part;
    }
}

}  // namespace artel::openmp
