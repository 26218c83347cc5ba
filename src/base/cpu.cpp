// The speed of the cycle counter.
#include "base/cpu.hpp"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>

namespace artel::base {

namespace {

// The result of the first thread to finish measuring, kept for ever. The guard of a static would
// stay locked in the child of a fork that happens during the measurement.
template <class Measure>
std::uint64_t measured_once(std::atomic<std::uint64_t>& known, Measure measure) noexcept
{
    // relaxed, both: a number by itself.
    std::uint64_t value = known.load(std::memory_order_relaxed);
    if (value == 0) [[unlikely]] {
        const std::uint64_t mine = measure();
        if (known.compare_exchange_strong(value, mine, std::memory_order_relaxed)) {
            value = mine;
        }
    }
    return value;
}

}  // namespace

std::uint64_t cycles_of_clock() noexcept
{
    static constinit std::atomic<std::uint64_t> known{0};
    return measured_once(known, [] {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (int i = 0; i < 32; ++i) {
            const std::uint64_t first = cycles();
            least = std::min(least, cycles() - first);
        }
        return std::max<std::uint64_t>(1, least);
    });
}

namespace {

struct instant {
    std::uint64_t cycles;
    std::int64_t nanoseconds;
};

// Read together: without another program's time slice in between.
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
    static constinit std::atomic<std::uint64_t> known{0};
    return measured_once(known, [] {
        // The time since the library was loaded is usually long enough, and has passed anyway. Not
        // if the machine may have slept meanwhile: the two clocks may disagree about that.
        constexpr std::int64_t enough = 100000;
        constexpr std::int64_t too_long = 10000000000;
        instant end = now();
        const bool asleep = loaded.nanoseconds == 0 ||
                            end.nanoseconds - loaded.nanoseconds > too_long;
        const instant begin = asleep ? end : loaded;
        while (end.nanoseconds - begin.nanoseconds < enough) {
            end = now();
        }
        return std::max<std::uint64_t>(
            1, (end.cycles - begin.cycles) * 1000 /
                   static_cast<std::uint64_t>(end.nanoseconds - begin.nanoseconds));
    });
}

}  // namespace artel::base
