// Parallel loops: the thin ABI between the templates and libartel.
#pragma once

#include <artel/export.hpp>
#include <artel/limit.hpp>
#include <cstdint>

namespace artel::detail {

enum class loop_algorithm : std::uint32_t {
    automatic = 0,  // ARTEL_LOOP may choose another one
    static_ = 1,
    simple = 2,
    dynamic = 3,
    guided = 4,
    lazy = 5,
    heartbeat = 6,
    timespan = 7,
    timespan_grain = 8
};

// Runs iterations [begin, end) as participant number `participant` (0 <= participant <
// loop_width()); may throw. Calls with the same number are never concurrent.
using loop_body = void (*)(void* context, std::int64_t begin, std::int64_t end,
                           unsigned participant);

struct loop_request {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    // fewest iterations worth a call of their own; 0: the algorithm's choice.
    std::int64_t grain = 1;
    loop_algorithm algorithm = loop_algorithm::automatic;
    loop_body body = nullptr;
    void* context = nullptr;
    const limit* limits = nullptr;
};

// The largest number of participants of a loop under these limits; at least 1.
ARTEL_API unsigned loop_width(const limit* limits) noexcept;

// Runs the loop; rethrows the first exception of the body after all participants have left.
// Switches.
ARTEL_API void run_loop(const loop_request& request);

}  // namespace artel::detail
