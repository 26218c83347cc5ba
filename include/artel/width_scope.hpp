// width_scope: how many may work at a time on what is started in a part of the program.
#pragma once

#include <artel/detail/width.hpp>

namespace artel {

// While one exists, the loops (reductions and scans, too), task groups and parallel_invokes that
// its thread or light thread starts have at most `most` at work at a time, all of them together and
// the caller included. The same holds for what is started inside of their iterations and tasks, on
// whichever worker. 0: no limit of this scope's own.
//
// A loop takes the places that are free when it begins and gives them back when it ends; with none
// free its caller runs it alone. A task of a group begins at once if a place is free
// then; else when another task of the same group ends and leaves it a place, or when somebody waits
// for the group: a place that becomes free elsewhere is not enough, so do not wait for such a task
// by polling. A task_group belongs to the scope in which it was made, and ends before it.
// Limits of a loop or group of its own (<artel/limit.hpp>) hold as well.
//
// Not limited: light threads, OpenMP regions, what other threads of the program start.
//
// Scopes nest: inside of a wider one a scope is as narrow as it says, inside of a narrower one as
// narrow as that. Costs some nanoseconds; does not block or switch; throws nothing. Must end where
// it began: on the same thread or light thread.
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
