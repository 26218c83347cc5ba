// Points in time of the interface, which are CLOCK_REALTIME's, and spans of seconds, as the library
// counts. Programs say "for good" with the largest number of their type.
#pragma once

#include "sched/alarm.hpp"

#include <ctime>

namespace artel::argobots {

inline constexpr sched::moment most_seconds = 1000000000;  // some thirty years

inline sched::moment after_seconds(double seconds) noexcept
{
    constexpr auto most = static_cast<double>(most_seconds);
    // What is no number is none.
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
