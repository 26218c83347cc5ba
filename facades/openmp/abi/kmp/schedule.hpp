// The schedule numbers that compilers pass.
#pragma once

#include "kmp.hpp"
#include "worksharing/loop.hpp"

#include <algorithm>

namespace artel::openmp::kmp {

enum schedule_number : std::int32_t {
    static_chunked = 33,
    static_even = 34,
    dynamic_chunked = 35,
    guided_chunked = 36,
    by_runtime = 37,
    automatic = 38,
    trapezoidal = 39,
    static_greedy = 40,
    static_balanced = 41,
    guided_iterative = 42,
    guided_analytical = 43,
    static_steal = 44,
    static_simd = 45,  // even shares, rounded up to multiples of the chunk
    guided_simd = 46,
    runtime_simd = 47,
    ordered_offset = 32,  // ordered loops: 65 to 70
    first_ordered = 64,
    last_ordered = 72,
    distribute_chunked = 91,
    distribute_even = 92,
    // 161 to 198: as 33 to 70, for loops whose ordered iterations are handed out one by one
    unmerged_offset = 128,
    first_unmerged = 160,
};
// set by newer compilers for every nonmonotonic loop.
inline constexpr std::int32_t nonmonotonic = 1 << 30;
inline constexpr std::int32_t modifiers = 3 << 29;  // monotonic, nonmonotonic

struct schedule_words {
    std::int32_t number;  // below first_ordered, or a distribute schedule
    bool ordered;
    bool any_order;  // loop_schedule::any_order
};

inline schedule_words plain(std::int32_t number) noexcept
{
    const bool any_order = (number & nonmonotonic) != 0;
    number &= ~modifiers;
    if (number >= first_unmerged) {
        number -= unmerged_offset;
    }
    const bool ordered = number >= first_ordered && number <= last_ordered;
    return {ordered ? number - ordered_offset : number, ordered, any_order && !ordered};
}

// The schedule of a loop whose pieces the runtime hands out.
inline loop_schedule dispatched(const member& m, const schedule_words& words,
                                std::uint64_t chunk) noexcept
{
    switch (words.number) {
    case static_chunked: return {schedule_kind::static_, std::max<std::uint64_t>(chunk, 1)};
    case dynamic_chunked: return {schedule_kind::dynamic, chunk, words.any_order};
    case static_steal: return {schedule_kind::shared, chunk};
    case trapezoidal: return {schedule_kind::trapezoidal, chunk};
    case guided_chunked:
    case guided_iterative:
    case guided_analytical:
    case guided_simd: return {schedule_kind::guided, chunk, words.any_order};
    // A compiler that leaves this schedule to the runtime does not know that the iterations take
    // equal times; otherwise it would have cut the loop itself.
    case automatic: return {schedule_kind::guided, 0};
    case by_runtime: return runtime_schedule(m, !words.any_order);
    case runtime_simd: {
        loop_schedule schedule = runtime_schedule(m, !words.any_order);
        schedule.chunk = std::max<std::uint64_t>(schedule.chunk, 1) *
                         std::max<std::uint64_t>(chunk, 1);
        return schedule;
    }
    default: return {schedule_kind::static_, 0};
    }
}

}  // namespace artel::openmp::kmp
