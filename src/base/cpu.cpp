// The speed of the cycle counter.
#include "base/cpu.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

namespace artel::base {

std::uint64_t cycles_of_clock() noexcept
{
    static const std::uint64_t value = [] {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (int i = 0; i < 32; ++i) {
            const std::uint64_t first = cycles();
            least = std::min(least, cycles() - first);
        }
        return least;
    }();
    return value;
}

namespace {

struct instant {
    std::uint64_t cycles;
    std::int64_t nanoseconds;
};

// Read together: not with a time slice of somebody else's in between.
instant now() noexcept
{
    constexpr std::uint64_t apart = 10000;
    timespec t{};
    std::uint64_t before = 0;
    int attempts = 5;
    do {
        before = cycles();
        ::clock_gettime(CLOCK_MONOTONIC, &t);
    } while (cycles() - before > apart && --attempts > 0);
    return {before, std::int64_t{t.tv_sec} * 1000000000 + t.tv_nsec};
}

const instant loaded = now();  // when this library was

}  // namespace

std::uint64_t cycles_per_microsecond() noexcept
{
    static const std::uint64_t value = [] {
        // The time since the library was loaded is long enough, most often, and has gone by anyway. Not if the machine may have slept meanwhile:
        // the two clocks need not agree on that.
        constexpr std::int64_t enough = 100000;
        constexpr std::int64_t too_long = 10000000000;
        instant end = now();
        const bool asleep = loaded.nanoseconds == 0 || end.nanoseconds - loaded.nanoseconds > too_long;
        const instant begin = asleep ? end : loaded;
        while (end.nanoseconds - begin.nanoseconds < enough) {
            end = now();
        }
        return std::max<std::uint64_t>(
            1, (end.cycles - begin.cycles) * 1000 / static_cast<std::uint64_t>(end.nanoseconds - begin.nanoseconds));
    }();
    return value;
}

}  // namespace artel::base
