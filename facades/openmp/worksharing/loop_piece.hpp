// The next piece of a loop for one member, by the loop's schedule. Inside this folder only.
#pragma once

#include "loop.hpp"

namespace artel::openmp {

// A member that has had the loop's last piece need not ask for another.
inline void note_last(worksharing_position& p, piece taken) noexcept
{
    if (taken.high == p.loop.count) {
        p.kind = loop_kind::exhausted;
    }
}

// Iterations of the next piece of a guided loop with `left` iterations left: a multiple of the
// chunk, which is a number of vector lanes in some loops.
inline std::uint64_t guided_size(std::uint64_t left, std::uint64_t chunk, unsigned size) noexcept
{
    const std::uint64_t share = (left - 1) / size;
    if (chunk == 1) {  // a division would be the slowest step here
        return share + 1;
    }
    const std::uint64_t rounded = share - share % chunk + chunk;
    return rounded > share ? rounded : left;
}

// Takes the member's next piece, as indices from 0 to the loop's count. False when none is left for
// it.
bool take(member& m, workshare_slot& slot, piece& taken) noexcept;

}  // namespace artel::openmp
