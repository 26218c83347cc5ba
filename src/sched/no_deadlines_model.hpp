// For models without deadlines.
#pragma once

#include "sched/alarm.hpp"

namespace artel::sched {

inline moment now() noexcept
{
    return 0;
}
inline bool set_alarm(alarm&) noexcept
{
    return true;
}
inline void clear_alarm(alarm&) noexcept {}

}  // namespace artel::sched
