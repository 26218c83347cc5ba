// width_scope: limits how many threads work at a time for a part of the program.
#pragma once

#include <artel/detail/width.hpp>

namespace artel {

// While one exists, the loops (reductions and scans, too), task groups and parallel_invokes that
// its thread or light thread starts run on at most `most` threads at a time, all together and
// including the caller. This includes what their iterations and tasks start, on any worker. 0: no
// limit of this scope's own.
//
// A loop takes the places that are free when it begins and returns them when it ends; without free
// places its caller runs it alone. A task of a group begins at once if a place is free; else when
// another task of the same group ends and passes its place on, or when a caller waits for the
// group. A place that becomes free elsewhere is not enough, so do not wait for such a task by
// polling. A task_group belongs to the scope in which it was made, and must end before it. Limits
// of a loop or group of its own (<artel/limit.hpp>) hold as well.
//
// Not limited: light threads, OpenMP regions, and what other threads of the program start.
//
// Scopes nest: the narrower of an inner and an outer scope counts. Costs some nanoseconds; does not
// block or switch; throws nothing. Must end where it began: on the same thread or light thread.
class width_scope {
public:
    explicit width_scope(unsigned most) noexcept { detail::open_width(budget_, most); }
    ~width_scope() { detail::close_width(budget_); }
    width_scope(const width_scope&) = delete;
    width_scope& operator=(const width_scope&) = delete;

private:
    detail::width_budget budget_;
};

}  // namespace artel
