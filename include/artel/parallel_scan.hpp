// parallel_scan: running totals.
//
// The range is cut into one block more than there are workers. First all blocks but the last are
// summed up at the same time, the first one already with its final results; then, with the sums
// before them known, all but the first write theirs. Every element is so looked at twice, except in
// the first and last block, and with one worker once.
#pragma once

#include <artel/parallel_for.hpp>
#include <optional>
#include <vector>

namespace artel {
namespace detail {

template <class Index, class T, class Body, class Join>
T scan_blocks(const blocked_range<Index>& range, const T& identity, Body& body, Join& join,
              std::int64_t blocks, const limit* limits)
{
    const std::int64_t count = distance(range.begin(), range.end());
    if (blocks <= 1) {
        return body(range, identity, true);
    }
    // Cut so that no product overflows: the first `longer` blocks have one more.
    const std::int64_t share = count / blocks;
    const std::int64_t longer = count % blocks;
    const auto block = [&](std::int64_t i) {
        const std::int64_t begin = i * share + std::min(i, longer);
        return blocked_range<Index>(advance(range.begin(), begin),
                                    advance(range.begin(), begin + share + (i < longer ? 1 : 0)));
    };
    // of block i; later: of all up to and with block i.
    std::vector<std::optional<T>> sums(static_cast<std::size_t>(blocks));
    const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    auto sum_up = [&](std::int64_t i) { sums[at(i)].emplace(body(block(i), identity, i == 0)); };
    for_each_index(std::int64_t{0}, blocks - 1, sum_up, simple{}, limits);
    if (limits != nullptr && limits->stop.stop_requested()) {
        return identity;
    }
    for (std::int64_t i = 1; i + 1 < blocks; ++i) {
        sums[at(i)].emplace(join(*sums[at(i - 1)], *sums[at(i)]));
    }
    auto write = [&](std::int64_t i) {
        T total = body(block(i), *sums[at(i - 1)], true);
        if (i == blocks - 1) {
            sums[at(i)].emplace(std::move(total));
        }
    };
    for_each_index(std::int64_t{1}, blocks, write, simple{}, limits);
    return sums.back() ? std::move(*sums.back()) : identity;
}

// As many as can be worked on at a time, each of at least `grain` elements.
template <class Index>
std::int64_t scan_block_count(const blocked_range<Index>& range, std::int64_t grain,
                              const limit* limits)
{
    const std::int64_t workers = loop_width(limits);
    return workers == 1 ? 1
                        : std::min(workers + 1, distance(range.begin(), range.end()) /
                                                    std::max<std::int64_t>(grain, 1));
}

// The same number whoever works on them.
template <class Index>
std::int64_t deterministic_scan_block_count(const blocked_range<Index>& range, std::int64_t grain)
{
    constexpr std::int64_t most = 256;
    return std::min(most, distance(range.begin(), range.end()) / std::max<std::int64_t>(grain, 1));
}

}  // namespace detail

// body(piece, before, is_final) returns `before` joined with the piece's elements; when is_final,
// `before` is the total of everything left of the piece, and the body also writes the piece's
// results. A piece may be visited twice, the second time finally. join(left, right) must be
// associative. Returns the total of the range; with a requested stop, something of no use.
// Exceptions, nesting and waiting: as parallel_for. `grain`: fewest elements of a block.
template <loop_index Index, class T, class Body, class Join>
T parallel_scan(const blocked_range<Index>& range, T identity, Body&& body, Join&& join,
                std::int64_t grain = 1024)
{
    return detail::scan_blocks(range, identity, body, join,
                               detail::scan_block_count(range, grain, nullptr), nullptr);
}

template <loop_index Index, class T, class Body, class Join>
T parallel_scan(const blocked_range<Index>& range, T identity, Body&& body, Join&& join,
                std::int64_t grain, const limit& limits)
{
    return detail::scan_blocks(range, identity, body, join,
                               detail::scan_block_count(range, grain, &limits), &limits);
}

// As parallel_scan, with the same results at any number of workers and in every run, also where
// `join` is not quite associative: the blocks depend on the range's length and the grain only (256
// at most). So one worker, too, looks at every element twice.
template <loop_index Index, class T, class Body, class Join>
T parallel_deterministic_scan(const blocked_range<Index>& range, T identity, Body&& body,
                              Join&& join, std::int64_t grain = 1024, const limit& limits = {})
{
    return detail::scan_blocks(range, identity, body, join,
                               detail::deterministic_scan_block_count(range, grain), &limits);
}

}  // namespace artel
