// Sleeping without blocking a worker.
#pragma once

#include <artel/detail/deadline.hpp>

namespace artel::this_light_thread {

// As std::this_thread::sleep_until, but the caller is suspended and its worker does other work
// meanwhile. Callers: light threads, tasks, iterations, and OS threads outside the crew, which take
// part in its work.
template <class Clock, class Duration>
void sleep_until(const std::chrono::time_point<Clock, Duration>& when)
{
    detail::word never{0};
    while (detail::wait_until(never, 0, when)) {
    }
}

template <class Rep, class Period>
void sleep_for(const std::chrono::duration<Rep, Period>& time)
{
    if (time > time.zero()) {
        sleep_until(detail::time_after(time));
    }
}

}  // namespace artel::this_light_thread
