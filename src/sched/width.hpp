// The places of a width_scope limit how many threads work on what the scope's thread has started.
// Each thread but that one needs a place to take part in a loop or to run a task. A place is taken
// from the scope and from every enclosing one. Loops take theirs before they begin, for all
// possible participants; each task takes one.
//
// A scope belongs to a fiber (fiber::width); threads that take part in something started inside get
// it while they run iterations or tasks of that (within_width).
//
// Rejected: dividing the width among what is started inside, which would need no counter. If one of
// two tasks is short, its half would be idle.
#pragma once

#include "sched/guest_scope.hpp"

#include <artel/detail/width.hpp>
#include <utility>

namespace artel::sched {

// The innermost scope of the caller; nullptr without one.
inline detail::width_budget* width_here() noexcept
{
    const worker* const w = this_worker();
    return w != nullptr ? w->current->width : nullptr;
}

// Takes up to `want` places; returns how many there were. Any thread; never waits.
unsigned take_places(detail::width_budget& budget, unsigned want) noexcept;
void give_places(detail::width_budget& budget, unsigned count) noexcept;

// Places that are given back at the end of a block.
class places {
public:
    places(detail::width_budget& budget, unsigned want) noexcept
        : budget_(budget), count_(take_places(budget, want))
    {}
    ~places() { give_places(budget_, count_); }
    places(const places&) = delete;
    places& operator=(const places&) = delete;
    unsigned count() const noexcept { return count_; }

private:
    detail::width_budget& budget_;
    const unsigned count_;
};

// The caller's fiber is inside `budget` for the length of a block; nothing if that is nullptr.
class within_width {
public:
    explicit within_width(detail::width_budget* budget) noexcept
    {
        if (budget == nullptr) [[likely]] {
            return;
        }
        if (worker* const w = this_worker(); w != nullptr) {
            here_ = w->current;
            before_ = std::exchange(here_->width, budget);
            note_how_to_spawn(*w);
        }
    }
    ~within_width()
    {
        if (here_ != nullptr) [[unlikely]] {
            here_->width = before_;
            note_how_to_spawn(*this_worker());
        }
    }
    within_width(const within_width&) = delete;
    within_width& operator=(const within_width&) = delete;

private:
    fiber::fiber* here_ = nullptr;
    detail::width_budget* before_ = nullptr;
};

}  // namespace artel::sched
