// Partitioners: how a loop's iterations are dealt out. Passed as the last argument but one of the parallel algorithms.
#pragma once

#include <artel/detail/loop.hpp>
#include <concepts>
#include <cstdint>

namespace artel {

// The default. An equal share per worker, balanced by stealing halves; the number of iterations taken at a time adapts to what they cost, and begins with
// what they cost in earlier loops from the same place. A loop that takes less time than another worker needs to come is run by the caller alone.
struct automatic {
    std::int64_t grain = 1;  // fewest iterations worth a call of their own
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::automatic;
};

// An equal share per worker in one piece, and always the same one: for balanced loops that go over the same data again and again. Only a
// share whose worker is busy with other things is run by another worker.
struct static_ {
    std::int64_t grain = 1;  // fewest iterations of a share: a short loop takes fewer workers
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::static_;
};

// Exactly `grain` iterations at a time.
struct simple {
    std::int64_t grain = 1;
    static constexpr detail::loop_algorithm algorithm = detail::loop_algorithm::simple;
};

template <class P>
concept partitioner = requires(const P& p) {
    { P::algorithm } -> std::convertible_to<detail::loop_algorithm>;
    { p.grain } -> std::convertible_to<std::int64_t>;
};

}  // namespace artel
