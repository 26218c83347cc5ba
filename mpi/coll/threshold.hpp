// The size from which copies by the kernel between the processes (lines.hpp, direct) are faster
// than those through the root's queue. Measured with the ranks, the channel and the memory that
// messages will use, if ARTEL_MPI_DIRECT=auto asks for it.
#pragma once

#include "coll/channel.hpp"
#include "coll/exchange.hpp"

#include <cstdint>
#include <span>

namespace artel::coll {

// Seconds that a message of this many bytes took in each of the two ways.
struct two_ways {
    std::uint64_t bytes;
    double queue, direct;
};

// The smallest size from which direct copies were faster, there and at all larger sizes, by more
// than chance explains; 0: none. Rows by ascending size. Pure.
std::uint64_t threshold_of(std::span<const two_ways> rows) noexcept;

// Measures with messages of up to 16 MiB from rank 0, some ten to a hundred milliseconds in all,
// and makes the channel use the result. All ranks of channel and exchange call it together, before
// any other use of these, and all get the same. 0 (never) also if a rank has no memory for it or
// has died. Waits.
std::uint64_t find_direct_from(channel& messages, exchange& all, unsigned rank) noexcept;

// The result found in this process before, by the number of ranks; direct_unknown: none. Any
// thread.
std::uint64_t known_direct_from(unsigned ranks);
void keep_direct_from(unsigned ranks, std::uint64_t bytes);

}  // namespace artel::coll
