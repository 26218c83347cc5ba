// Waits with a time limit, for the public synchronisation classes, with points in time of any
// clock.
#pragma once

#include <artel/detail/wait_word.hpp>
#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace artel::detail {

// As wait_word, until `deadline` at the latest, in nanoseconds of std::chrono::steady_clock. False:
// the time was up before any wake-up.
ARTEL_API bool wait_word_until(word& w, std::uint32_t expected, std::int64_t deadline) noexcept;

// Rounded up; values out of range become the last (or first) representable moment, three centuries
// away.
template <class Rep, class Period>
std::int64_t nanoseconds_of(const std::chrono::duration<Rep, Period>& d)
{
    const double seconds = std::chrono::duration<double>(d).count();
    if (seconds >= 9.2e9) {
        return std::numeric_limits<std::int64_t>::max();
    }
    if (seconds <= -9.2e9) {
        return std::numeric_limits<std::int64_t>::min();
    }
    return std::chrono::ceil<std::chrono::nanoseconds>(d).count();
}

template <class Rep, class Period>
std::int64_t deadline_after(const std::chrono::duration<Rep, Period>& d)
{
    const std::int64_t now = nanoseconds_of(std::chrono::steady_clock::now().time_since_epoch());
    const std::int64_t more = nanoseconds_of(d);
    return more > std::numeric_limits<std::int64_t>::max() - now
               ? std::numeric_limits<std::int64_t>::max()
               : now + more;
}

// Waits as wait_word_until. A clock that may be set, or runs fast or slow, is read again before the
// time counts as up.
template <class Clock, class Duration>
bool wait_until(word& w, std::uint32_t expected,
                const std::chrono::time_point<Clock, Duration>& when)
{
    if constexpr (std::is_same_v<Clock, std::chrono::steady_clock>) {
        return wait_word_until(w, expected, nanoseconds_of(when.time_since_epoch()));
    } else {
        // In nanoseconds, limited to the last representable moment: a comparison or difference of
        // two points of different units wraps around where `when` is far away.
        const std::int64_t end = nanoseconds_of(when.time_since_epoch());
        for (;;) {
            const std::int64_t now = nanoseconds_of(Clock::now().time_since_epoch());
            if (now >= end) {
                return false;
            }
            std::int64_t left = 0;
            if (__builtin_sub_overflow(end, now, &left)) {
                left = std::numeric_limits<std::int64_t>::max();
            }
            if (wait_word_until(w, expected, deadline_after(std::chrono::nanoseconds(left)))) {
                return true;
            }
        }
    }
}

// The point in time that lies `d` ahead, never wrapped around.
template <class Rep, class Period>
std::chrono::steady_clock::time_point time_after(const std::chrono::duration<Rep, Period>& d)
{
    static_assert(std::is_same_v<std::chrono::steady_clock::duration, std::chrono::nanoseconds>);
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline_after(d)));
}

}  // namespace artel::detail
