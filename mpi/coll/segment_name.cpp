// The first segment that rank 0 offers and that all others have, under the same token, settings and
// number of ranks, each in its own rank.
#include "coll/segment_name.hpp"

#include <algorithm>

namespace artel::coll {
namespace {

bool same_segment(const segment_name& a, const segment_name& b) noexcept
{
    return std::equal(a.token, a.token + 2, b.token) && a.settings == b.settings &&
           a.ranks == b.ranks;
}

}  // namespace

std::size_t common_segment(std::span<const segment_name* const> offered,
                           std::uint64_t settings_digest) noexcept
{
    for (std::size_t i = 0; i < most_cached_segments; ++i) {
        const segment_name& candidate = offered[0][i];
        bool common = candidate.ranks == offered.size() && candidate.settings == settings_digest;
        for (std::size_t r = 0; common && r < offered.size(); ++r) {
            common = std::any_of(
                offered[r], offered[r] + most_cached_segments,
                [&](const segment_name& n) { return same_segment(n, candidate) && n.rank == r; });
        }
        if (common) {
            return i;
        }
    }
    return most_cached_segments;
}

}  // namespace artel::coll
