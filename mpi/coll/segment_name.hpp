// How ranks name segments that they keep (segment_cache.hpp), and which one they use again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace artel::coll {

inline constexpr std::size_t most_cached_segments = 4;

// A cached segment's name. Sent between processes: plain data; all zero: none.
struct segment_name {
    std::uint64_t token[2] = {};
    std::uint64_t settings = 0;  // digest of those that it was made with
    std::uint32_t rank = 0;      // of the sender in it
    std::uint32_t ranks = 0;     // that share it
};

// Finds a segment that all ranks of a node can use again: `offered` has the most_cached_segments
// names of each rank, in the order of the node's ranks. Returns its index among the first rank's,
// or most_cached_segments. Depends on its arguments only, so that all ranks choose the same.
std::size_t common_segment(std::span<const segment_name* const> offered,
                           std::uint64_t settings_digest) noexcept;

}  // namespace artel::coll
