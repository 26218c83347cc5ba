// nanosleep, clock_nanosleep and usleep, which the drop-in interposes. Members that wait for others
// often look at a flag and sleep for some microseconds in between; the others may be those that are
// ready on the OS thread that would sleep. So a sleeping member lets these go first, and the OS
// thread sleeps only when there are none, or when all of them sleep or wait for mutexes. It sleeps
// for limited times, because others may become ready on it meanwhile.
//
// A sleep may therefore take longer than asked for, as long as another member runs without a wait:
// as on a machine with fewer CPUs. Sleeps in other code, in signal handlers, until a time of day,
// or with a clock that is none of time, are left to the C library.
#include "base/os/keep_errno.hpp"
#include "blocked_member.hpp"
#include "next_function.hpp"
#include "sched/alarm.hpp"
#include "sched/locked_out.hpp"
#include "sched/suspend.hpp"
#include "sched/worker.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <limits>
#include <unistd.h>
#include <utility>

namespace {

using namespace artel;
using openmp::next_function;
using sched::moment;

constexpr moment second = 1000000000;

// Looked up when the library is loaded: signal handlers may sleep, and dlsym() takes locks.
constinit next_function<int(const timespec*, timespec*)> real_nanosleep{"nanosleep"};
constinit next_function<int(clockid_t, int, const timespec*, timespec*)> real_clock_nanosleep{
    "clock_nanosleep"};
constinit next_function<int(useconds_t)> real_usleep{"usleep"};
[[maybe_unused]] const bool all_found = real_nanosleep.get() != nullptr &&
                                        real_clock_nanosleep.get() != nullptr &&
                                        real_usleep.get() != nullptr;

bool is_member() noexcept
{
    const sched::worker* const w = sched::this_worker();
    return w != nullptr && openmp::may_let_others_go_on(*w);
}

timespec time_of(moment m) noexcept
{
    return {.tv_sec = static_cast<time_t>(m / second), .tv_nsec = static_cast<long>(m % second)};
}

// False for what the C library refuses, and for what is longer than a moment can tell.
bool is_duration(const timespec& t, moment& length) noexcept
{
    if (t.tv_sec < 0 || t.tv_nsec < 0 || t.tv_nsec >= second ||
        t.tv_sec > std::numeric_limits<moment>::max() / second / 2) {
        return false;
    }
    length = t.tv_sec * second + t.tv_nsec;
    return true;
}

// For a member: sleeps until `end`. Returns 0 or EINTR. As the C library's it is a cancellation
// point while it blocks.
int sleep_until(moment end)
{
    sched::begin_row();
    for (bool slept = false;; slept = true) {
        while (openmp::let_others_go_on(std::exchange(slept, false))) {
            if (sched::now() >= end) {
                return 0;
            }
        }
        const moment now = sched::now();
        if (now >= end) {
            return 0;
        }
        sched::give_way();
        const unsigned sleeps = sched::row_sleeps();
        const openmp::absent left(sleeps != 0);
        const timespec until = time_of(std::min(end, now + openmp::limit_after(sleeps).count()));
        if (const int result = real_clock_nanosleep.get()(CLOCK_MONOTONIC, TIMER_ABSTIME, &until,
                                                          nullptr);
            result != 0) {
            return result;
        }
    }
}

// The same for a duration; `rest` may be nullptr.
int sleep_for(moment length, timespec* rest)
{
    const base::os::keep_errno kept;
    const moment end = sched::now() + length;
    const int result = sleep_until(end);
    if (result == EINTR && rest != nullptr) {
        *rest = time_of(std::max<moment>(end - sched::now(), 0));
    }
    return result;
}

int as_errno(int result) noexcept
{
    if (result == 0) {
        return 0;
    }
    errno = result;
    return -1;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int nanosleep(const timespec* requested, timespec* rest)
{
    moment length = 0;
    return is_member() && is_duration(*requested, length) ? as_errno(sleep_for(length, rest))
                                                          : real_nanosleep.get()(requested, rest);
}

extern "C" [[gnu::visibility("default")]] int clock_nanosleep(clockid_t clock, int flags,
                                                              const timespec* requested,
                                                              timespec* rest)
{
    moment length = 0;
    const bool by_time_of_day = clock == CLOCK_REALTIME && flags == 0;
    if ((clock != CLOCK_MONOTONIC && !by_time_of_day) || (flags & ~TIMER_ABSTIME) != 0 ||
        !is_member() || !is_duration(*requested, length)) {
        return real_clock_nanosleep.get()(clock, flags, requested, rest);
    }
    if (flags == 0) {
        return sleep_for(length, rest);
    }
    const base::os::keep_errno kept;
    return sleep_until(length);
}

extern "C" [[gnu::visibility("default")]] int usleep(useconds_t microseconds)
{
    return is_member() ? as_errno(sleep_for(moment{microseconds} * 1000, nullptr))
                       : real_usleep.get()(microseconds);
}
