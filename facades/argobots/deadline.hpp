// Converts the interface's points in time, which are of CLOCK_REALTIME, and its spans in seconds to
// the crew's clock. Programs pass the largest value of the type for "without limit".
#pragma once

#include "sched/alarm.hpp"

#include <ctime>

namespace artel::argobots {

inline constexpr sched::moment most_seconds = 1000000000;  // some thirty years

inline sched::moment after_seconds(double seconds) noexcept
{
    constexpr auto most = static_cast<double>(most_seconds);
    // Not a number counts as 0.
    const double wait = seconds > 0 ? (seconds < most ? seconds : most) : 0;
    return sched::now() + static_cast<sched::moment>(wait * 1e9);
}

inline sched::moment monotonic(const timespec& realtime) noexcept
{
    timespec here{};
    ::clock_gettime(CLOCK_REALTIME, &here);
    if (realtime.tv_sec > here.tv_sec + most_seconds) {
        return sched::now() + most_seconds * 1000000000;
    }
    if (realtime.tv_sec < here.tv_sec - most_seconds) {
        return sched::now();
    }
    const sched::moment left = (static_cast<sched::moment>(realtime.tv_sec) - here.tv_sec) *
                                   1000000000 +
                               (realtime.tv_nsec - here.tv_nsec);
    return sched::now() + left;
}

}  // namespace artel::argobots
