// Partitioners: how a loop's iterations are distributed. Passed as the last argument but one of the
// parallel algorithms. None of them changes what a loop computes; which is fastest depends on how
// the costs of iterations differ, and whether other work needs the workers. In doubt, use the
// default.
#pragma once

#include <artel/detail/loop.hpp>
#include <concepts>
#include <cstdint>

namespace artel {

// The default. An equal share per worker, balanced by stealing halves; the number of iterations
// taken at a time adapts to their cost, and begins with the cost in earlier loops at the same call
// site. A loop that takes less time than waking another worker is run by the caller alone. The
// environment variable ARTEL_LOOP replaces it by another algorithm.
struct automatic {
    std::int64_t grain = 1;  // iterations worth a call of their own; shares may end with fewer
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::automatic;
};

// An equal share per worker in one piece, always the same one: for balanced loops that go over the
// same data again and again. A share is run by another worker only if its own worker is busy with
// other work.
struct static_ {
    std::int64_t grain = 1;  // about as many to a share at least: a short loop takes fewer workers
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::static_;
};

// `grain` iterations at a time (in loops of more than 2^31 iterations: of units of iterations /
// 2^31, rounded up), fewer at the end of a share and of what a thief has taken. Shares are balanced
// as by `automatic`.
struct simple {
    std::int64_t grain = 1;
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::simple;
};

// Exactly `grain` iterations at a time from one counter, in rising order, as OpenMP's
// schedule(dynamic, grain): for iterations whose costs differ wildly and without pattern.
struct dynamic {
    std::int64_t grain = 0;  // 0: a 32nd of an equal share
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::dynamic;
};

// Half of an equal share of what is left at a time, from one counter, as OpenMP's schedule(guided,
// grain).
struct guided {
    std::int64_t grain = 1;  // fewest iterations at a time
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::guided;
};

// Lazy binary splitting: an equal share per worker, of which half can be stolen; when a thief has
// taken that, another half becomes stealable. The owner checks for thieves after pieces of `grain`
// iterations, larger ones as long as there are none, and reads no clock.
struct lazy {
    std::int64_t grain = 1;
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::lazy;
};

// Heartbeats: the caller runs the loop serially, and makes half of the remaining iterations
// stealable every 25 us: for deeply nested loops of unknown size, where the cost of sharing must
// stay a small part of the time in every case.
struct heartbeat {
    std::int64_t grain = 1;  // fewest iterations of a stealable part
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::heartbeat;
};

// Delayed balancing (D. Vorkozhokov, 2023): equal shares are sent to given workers along a tree;
// each then runs iterations for a timespan that `artel tune` measures, and only afterwards makes
// tasks of `grain` iterations for thieves. For comparison; timespan_grain is the better one.
struct timespan {
    std::int64_t grain = 1;
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::timespan;
};

// The same, with as many iterations per task as were run in the timespan.
struct timespan_grain {
    std::int64_t grain = 1;  // fewest iterations of a task
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::timespan_grain;
};

template <class P>
concept partitioner = requires(const P& p) {
    { P::algorithm } -> std::convertible_to<detail::loop_algorithm>;
    { p.grain } -> std::convertible_to<std::int64_t>;
};

}  // namespace artel
