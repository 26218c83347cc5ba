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

std::uint64_t cycles_per_microsecond() noexcept
{
    static const std::uint64_t value = [] {
        timespec begin{};
        timespec now{};
        ::clock_gettime(CLOCK_MONOTONIC, &begin);
        const std::uint64_t first = cycles();
        std::int64_t nanoseconds = 0;
        do {
            ::clock_gettime(CLOCK_MONOTONIC, &now);
            nanoseconds = (now.tv_sec - begin.tv_sec) * 1000000000 + (now.tv_nsec - begin.tv_nsec);
        } while (nanoseconds < 100000);
        return std::max<std::uint64_t>(1, (cycles() - first) * 1000 / static_cast<std::uint64_t>(nanoseconds));
    }();
    return value;
}

}  // namespace artel::base
