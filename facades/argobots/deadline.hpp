// Points in time of the interface, which are CLOCK_REALTIME's, as the library counts.
#pragma once

#include "sched/alarm.hpp"

#include <ctime>

namespace artel::argobots {

inline sched::moment monotonic(const timespec& realtime) noexcept
{
    timespec here{};
    ::clock_gettime(CLOCK_REALTIME, &here);
    const sched::moment left = (static_cast<sched::moment>(realtime.tv_sec) - here.tv_sec) *
                                   1000000000 +
                               (realtime.tv_nsec - here.tv_nsec);
    return sched::now() + left;
}

}  // namespace artel::argobots
