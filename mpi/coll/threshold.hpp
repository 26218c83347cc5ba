// From which size on it is faster that the kernel copies between the processes (lines.hpp, direct)
// than through the root's queue: measured with the ranks, the channel and the memory that messages
// will use, where ARTEL_MPI_DIRECT=auto asks for it.
#pragma once

#include "coll/channel.hpp"
#include "coll/exchange.hpp"

#include <cstdint>
#include <span>

namespace artel::coll {

// Seconds that a message of so many bytes took in each of the two ways.
struct two_ways {
    std::uint64_t bytes;
    double queue, direct;
};

// The smallest size from which on direct copies were faster, there and at all larger ones, by more
// than what chance makes of it; 0: at none. Rows by ascending size. Pure.
std::uint64_t threshold_of(std::span<const two_ways> rows) noexcept;

// Measures with messages of up to 16 MiB from rank 0, some ten to a hundred milliseconds in all,
// and makes the channel keep to what it finds; all ranks of channel and exchange call it together,
// before anything else goes through these, and all get the same. 0 (never) also where a rank has no
// memory for it or has died. Waits.
std::uint64_t find_direct_from(channel& messages, exchange& all, unsigned rank) noexcept;

// What was found in this process before, by the number of ranks; direct_unknown: nothing. Any
// thread.
std::uint64_t known_direct_from(unsigned ranks);
void keep_direct_from(unsigned ranks, std::uint64_t bytes);

}  // namespace artel::coll
