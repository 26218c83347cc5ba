// How ranks tell each other of segments that they keep (segment_cache.hpp), and which one all can
// use again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace artel::coll {

inline constexpr std::size_t most_cached_segments = 4;

// How a rank tells of one. Travels between processes: plain data; all zero: none.
struct segment_name {
    std::uint64_t token[2] = {};
    std::uint64_t settings = 0;  // digest of those that it was made with
    std::uint32_t rank = 0;      // of the teller in it
    std::uint32_t ranks = 0;     // that share it
};

// What all ranks of a node can use again: `offered` has the most_cached_segments names of each
// rank, in the order of the node's ranks. The number among the first rank's, or
// most_cached_segments. A function of its arguments, so that all who have the same arguments choose
// alike.
std::size_t common_segment(std::span<const segment_name* const> offered,
                           std::uint64_t settings_digest) noexcept;

}  // namespace artel::coll
