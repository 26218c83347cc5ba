// nanosleep, clock_nanosleep and usleep, which the drop-in interposes. Members that wait for others
// often look at a flag and sleep for some microseconds in between; the others may be those that are
// ready on the OS thread that would sleep. So a sleeping member lets these go first, and the OS
// thread sleeps only when there are none, or when all of them sleep or wait for mutexes. It sleeps
// for limited times, because others may become ready on it meanwhile.
//
// A sleep may therefore take longer than asked for, as long as another member runs without a wait:
// as on a machine with fewer CPUs. If that one spins on a lock of the program's own, which the
// sleeper holds, the monitor helps. (Rejected: to notice that, and to let nobody go on for some
// sleeps: where all members poll, the one that comes back late was not kept waiting by a spinner.)
// And a signal that comes between two of its parts does not end it. So sleeps of more than some
// milliseconds are left to the C library, and the worker to the monitor; so are sleeps in other
// code, in signal handlers, until a time of day, or with a clock that is none of time.
#include "base/os/keep_errno.hpp"
#include "blocked_member.hpp"
#include "foreign/next_function.hpp"
#include "sched/alarm.hpp"
#include "sched/guest_scope.hpp"
#include "sched/suspend.hpp"
#include "sched/worker.hpp"
#include "sched/yield_round.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <limits>
#include <unistd.h>
#include <utility>

namespace {

using namespace artel;
using foreign::next_function;
using sched::moment;

constexpr moment second = 1000000000;
// About two ticks of the monitor.
constexpr moment longest = second / 100;

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

// False for what the C library refuses, and for more than a moment can tell.
bool is_valid(const timespec& t) noexcept
{
    return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < second &&
           t.tv_sec < std::numeric_limits<moment>::max() / second;
}

moment moment_of(const timespec& t) noexcept
{
    return t.tv_sec * second + t.tv_nsec;
}

// For what the program gave: the C library says what is wrong with nullptr.
bool is_short(const timespec* t) noexcept
{
    return t != nullptr && is_valid(*t) && moment_of(*t) <= longest;
}

bool ends_soon(const timespec* end) noexcept
{
    return end != nullptr && is_valid(*end) && moment_of(*end) <= sched::now() + longest;
}

// For a member: sleeps until `end`. Returns 0 or EINTR. As the C library's it is a cancellation
// point while it blocks.
int sleep_until(moment end)
{
    sched::begin_yield_round();
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
        const unsigned sleeps = sched::yield_round_sleeps();
        const sched::inactive_scope left(sleeps != 0 ? openmp::blocking_master() : nullptr);
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
    return is_member() && is_short(requested) ? as_errno(sleep_for(moment_of(*requested), rest))
                                              : real_nanosleep.get()(requested, rest);
}

extern "C" [[gnu::visibility("default")]] int clock_nanosleep(clockid_t clock, int flags,
                                                              const timespec* requested,
                                                              timespec* rest)
{
    const bool monotonic = clock == CLOCK_MONOTONIC;
    if (flags == 0 && (monotonic || clock == CLOCK_REALTIME) && is_member() &&
        is_short(requested)) {
        return sleep_for(moment_of(*requested), rest);
    }
    if (flags == TIMER_ABSTIME && monotonic && is_member() && ends_soon(requested)) {
        const base::os::keep_errno kept;
        return sleep_until(moment_of(*requested));
    }
    return real_clock_nanosleep.get()(clock, flags, requested, rest);
}

extern "C" [[gnu::visibility("default")]] int usleep(useconds_t microseconds)
{
    const moment length = moment{microseconds} * 1000;
    return length <= longest && is_member() ? as_errno(sleep_for(length, nullptr))
                                            : real_usleep.get()(microseconds);
}
