// From the words of the GOMP loop interface to loop_bounds and loop_schedule; shared by the loop
// and the combined parallel entries.
#pragma once

#include "abi/abi.hpp"
#include "worksharing/loop.hpp"

#include <concepts>

namespace artel::openmp {

inline loop_bounds bounds(long first, long end, long by) noexcept
{
    const auto f = static_cast<std::uint64_t>(first);
    const auto e = static_cast<std::uint64_t>(end);
    const auto b = static_cast<std::uint64_t>(by);
    return {f, e, b, iteration_count(f, e, b, by > 0, true)};
}

inline loop_bounds bounds(bool up, ull first, ull end, ull by) noexcept
{
    return {first, end, by, iteration_count(first, end, by, up, false)};
}

template <std::integral Value>
loop_schedule schedule_of(schedule_kind kind, Value chunk) noexcept
{
    return {kind, chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0};
}

// The number that compilers pass: 1 static, 2 dynamic, 3 guided; 0 and 4 schedule(runtime), where 4
// says that it is nonmonotonic. Bit 31: monotonic.
template <std::integral Value>
loop_schedule schedule_from(const member& m, long number, Value chunk) noexcept
{
    switch (number & 7) {
    case 1: return schedule_of(schedule_kind::static_, chunk);
    case 2: return schedule_of(schedule_kind::dynamic, chunk);
    case 3: return schedule_of(schedule_kind::guided, chunk);
    default: return runtime_schedule(m);
    }
}

}  // namespace artel::openmp
