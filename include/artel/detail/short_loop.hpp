// Very short loops in a crew that is busy: their caller runs them in its own code, where they cost
// little more than without a library.
#pragma once

#include <algorithm>
#include <artel/detail/free_workers.hpp>
#include <artel/detail/loop.hpp>
#include <artel/export.hpp>
#include <cstdint>

namespace artel::detail {

// Whether a loop of so many iterations (more than 1, without limits or a chosen algorithm) from the
// place that this body stands for is very short for certain, as far as anything is, and every
// worker is busy. If so, those who may come to be free, which is to be looked at between pieces;
// else nullptr. Now and then it says no of a loop like that, because the library has to learn what
// loops cost. Does not block; any thread.
ARTEL_API const free_workers* short_loop(loop_body body, std::int64_t iterations) noexcept;

// Runs piece(begin, end) over [0, iterations) in fourths, of which the last two are one piece; each
// but the last has at least `least` (1 or more). Stops when alone() is false after one of them, and
// returns the first iteration that is left; `iterations` when none is.
template <class Piece, class Alone>
[[gnu::always_inline]] inline std::int64_t run_in_fourths(std::int64_t iterations,
                                                          std::int64_t least, Piece&& piece,
                                                          Alone&& alone)
{
    const std::int64_t fourth = std::max(iterations / 4, std::min(least, iterations));
    for (std::int64_t at = 0;;) {
        const std::int64_t left = iterations - at;
        const std::int64_t next = at + (left - fourth > fourth || at == 0 ? std::min(fourth, left)
                                                                          : left);
        piece(at, next);
        at = next;
        if (at == iterations || !alone()) {
            return at;
        }
    }
}

}  // namespace artel::detail
