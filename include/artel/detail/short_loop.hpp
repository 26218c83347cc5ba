// Very short loops in a busy crew: their caller runs them in its own code, where they cost little
// more than without a library.
#pragma once

#include <algorithm>
#include <artel/detail/free_workers.hpp>
#include <artel/detail/loop.hpp>
#include <artel/export.hpp>
#include <cstdint>

namespace artel::detail {

// Whether a loop of `iterations` (more than 1, without limits or a chosen algorithm) at the call
// site that `body` identifies is, as far as is known, very short, and every worker is busy. If so,
// returns the count of free workers, which the caller checks between pieces; else nullptr. Now and
// then it returns nullptr for such a loop, too, because the library has to measure what loops cost.
// Does not block; any thread.
ARTEL_API const free_workers* short_loop(loop_body body, std::int64_t iterations) noexcept;

// Runs piece(begin, end) over [0, iterations) in quarters, of which the last two are one piece;
// each but the last has at least `least` (1 or more) iterations. Stops when alone() is false after
// one of them, and returns the first iteration not run; `iterations` when none is left.
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
