// Whether tasks are to be dropped because their taskgroup or region was cancelled.
#pragma once

#include "team.hpp"

namespace artel::openmp {

// Whether tasks of `t` in `group` are to be dropped. relaxed, all: cancellation may be noticed
// late.
inline bool is_cancelled(const team& t, const taskgroup* group) noexcept
{
    if (t.cancelled.load(std::memory_order_relaxed)) [[unlikely]] {
        return true;
    }
    return group != nullptr && (group->cancelled.load(std::memory_order_relaxed) ||
                                (group->workshare && group->outer != nullptr &&
                                 group->outer->cancelled.load(std::memory_order_relaxed)));
}

inline bool is_cancelled(const task& t) noexcept
{
    return is_cancelled(*t.in, t.own_group);
}

}  // namespace artel::openmp
