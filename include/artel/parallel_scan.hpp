// parallel_scan: prefix sums.
//
// The range is cut into one block more than there are workers. First all blocks but the last are
// summed up at the same time, the first one already with its final results; then, once the sums
// before them are known, all but the first write their results. So every element is visited twice,
// except in the first and last block; with one worker, once.
//
// A block should have enough work. A thousand elements are always enough; for fewer, the caller
// runs the first ones alone to find what they cost.
#pragma once

#include <algorithm>
#include <artel/detail/cycles.hpp>
#include <artel/parallel_for.hpp>
#include <optional>
#include <vector>

namespace artel {
namespace detail {

inline bool is_stopped(const limit* limits) noexcept
{
    return limits != nullptr && limits->stop.stop_requested();
}

// Block i of `blocks`. Cut so that no product overflows: the first ones have one more.
template <class Index>
blocked_range<Index> scan_block(const blocked_range<Index>& range, std::int64_t blocks,
                                std::int64_t i)
{
    const std::int64_t count = detail::distance(range.begin(), range.end());
    const std::int64_t share = count / blocks;
    const std::int64_t longer = count % blocks;
    const std::int64_t begin = i * share + std::min(i, longer);
    return blocked_range<Index>(
        detail::advance(range.begin(), begin),
        detail::advance(range.begin(), begin + share + (i < longer ? 1 : 0)));
}

// By the caller alone; if it may be stopped, in pieces of at least `grain` elements.
template <class Index, class T, class Body>
T scan_serially(const blocked_range<Index>& range, const T& identity, const T& before, Body& body,
                std::int64_t grain, const limit* limits)
{
    constexpr std::int64_t most = 64;
    const std::int64_t pieces = limits != nullptr && limits->stop.stop_possible()
                                    ? std::min(most, detail::distance(range.begin(), range.end()) /
                                                         std::max<std::int64_t>(grain, 1))
                                    : 1;
    if (pieces <= 1) {
        return body(range, before, true);
    }
    T total = before;
    for (std::int64_t i = 0; i < pieces; ++i) {
        if (is_stopped(limits)) {
            return identity;
        }
        total = body(scan_block(range, pieces, i), std::move(total), true);
    }
    return total;
}

// `before`: the total of all elements before the range. `grain`: fewest elements of a piece where a
// single block is cut into several.
template <class Index, class T, class Body, class Join>
T scan_blocks(const blocked_range<Index>& range, const T& identity, const T& before, Body& body,
              Join& join, std::int64_t blocks, std::int64_t grain, const limit* limits)
{
    if (is_stopped(limits)) {
        return identity;
    }
    if (blocks <= 1) {
        return scan_serially(range, identity, before, body, grain, limits);
    }
    const auto block = [&](std::int64_t i) { return scan_block(range, blocks, i); };
    // the sum of block i; later the sum of all blocks up to i.
    std::vector<std::optional<T>> sums(static_cast<std::size_t>(blocks));
    const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    auto sum_up = [&](std::int64_t i) {
        sums[at(i)].emplace(body(block(i), i == 0 ? before : identity, i == 0));
    };
    for_each_index(std::int64_t{0}, blocks - 1, sum_up, simple{}, limits);
    if (is_stopped(limits)) {
        return identity;
    }
    for (std::int64_t i = 1; i + 1 < blocks; ++i) {
        // Apart: the join may return a reference to what it was given.
        T both(join(*sums[at(i - 1)], *sums[at(i)]));
        sums[at(i)].emplace(std::move(both));
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

// Elements that are enough for a block, whatever their cost.
inline constexpr std::int64_t scan_elements = 1024;

// Cycles that are enough for a block: more than it takes to wake a worker and to wait for it.
inline constexpr std::uint64_t scan_cycles = 10000;

// Cycles after which the cost of elements is known, unless costs differ.
inline constexpr std::uint64_t scan_trial = 2000;

// Runs the first elements until their cost is known, and the others in parallel if they cost
// enough; else runs all elements.
template <class Index, class T, class Body, class Join>
T scan_after_trial(const blocked_range<Index>& range, const T& identity, Body& body, Join& join,
                   std::int64_t workers, const limit* limits)
{
    const auto count = static_cast<std::uint64_t>(detail::distance(range.begin(), range.end()));
    const auto part = [&](std::uint64_t begin, std::uint64_t end) {
        return blocked_range<Index>(
            detail::advance(range.begin(), static_cast<std::int64_t>(begin)),
            detail::advance(range.begin(), static_cast<std::int64_t>(end)));
    };
    const std::uint64_t start = cycles();
    if (is_stopped(limits)) {
        return identity;
    }
    std::uint64_t done = std::max<std::uint64_t>(count / 64, 1);
    T total = body(part(0, done), identity, true);
    while (done < count) {
        if (is_stopped(limits)) {
            return identity;
        }
        const std::uint64_t took = cycles() - start;
        const std::uint64_t left = count - done;
        if (took >= scan_trial) {
            const std::uint64_t each = took / done;
            const std::uint64_t worth = std::max(left / std::uint64_t{scan_elements},
                                                 left * each / scan_cycles);
            const std::uint64_t blocks = std::min(
                {worth, left, static_cast<std::uint64_t>(workers) + 1});
            if (blocks > 1) {
                return scan_blocks(part(done, count), identity, total, body, join,
                                   static_cast<std::int64_t>(blocks), scan_elements, limits);
            }
        }
        const std::uint64_t end = done + std::min(left, 7 * done);
        total = body(part(done, end), std::move(total), true);
        done = end;
    }
    return total;
}

// As many blocks as can be worked on at a time, each of at least `grain` elements.
template <class Index, class T, class Body, class Join>
T scan_in_parallel(const blocked_range<Index>& range, const T& identity, Body& body, Join& join,
                   std::int64_t grain, const limit* limits)
{
    const std::int64_t count = detail::distance(range.begin(), range.end());
    const std::int64_t workers = loop_width(limits);
    const std::int64_t enough = grain > 0 ? grain : scan_elements;
    const std::int64_t blocks = workers == 1 ? 1 : std::min(workers + 1, count / enough);
    if (grain <= 0 && blocks <= workers && workers > 1 && count > 1) {
        return scan_after_trial(range, identity, body, join, workers, limits);
    }
    return scan_blocks(range, identity, identity, body, join, blocks, enough, limits);
}

// The number of blocks does not depend on the workers.
template <class Index>
std::int64_t deterministic_scan_block_count(const blocked_range<Index>& range, std::int64_t grain)
{
    constexpr std::int64_t most = 256;
    return std::min(
        most, detail::distance(range.begin(), range.end()) / std::max<std::int64_t>(grain, 1));
}

}  // namespace detail

// body(piece, before, is_final) returns `before` joined with the piece's elements; when is_final,
// `before` is the total of all elements before the piece, and the body also writes the piece's
// results. A piece may be visited twice, the second time finally. join(left, right) must be
// associative. Returns the total of the range; after a requested stop the result is meaningless.
// Exceptions, nesting and waiting: as parallel_for. `grain`: fewest elements of a block; 0: chosen
// by the cost of the first ones.
template <loop_index Index, class T, class Body, class Join>
T parallel_scan(const blocked_range<Index>& range, T identity, Body&& body, Join&& join,
                std::int64_t grain = 0)
{
    return detail::scan_in_parallel(range, identity, body, join, grain, nullptr);
}

template <loop_index Index, class T, class Body, class Join>
T parallel_scan(const blocked_range<Index>& range, T identity, Body&& body, Join&& join,
                std::int64_t grain, const limit& limits)
{
    return detail::scan_in_parallel(range, identity, body, join, grain, &limits);
}

// As parallel_scan, but the results do not depend on the number of workers and are the same in
// every run, even where `join` is not quite associative: the blocks depend on the range's length
// and the grain only (at most 256). So even a single worker visits every element twice.
template <loop_index Index, class T, class Body, class Join>
T parallel_deterministic_scan(const blocked_range<Index>& range, T identity, Body&& body,
                              Join&& join, std::int64_t grain = 1024, const limit& limits = {})
{
    // A single block stays one, whether it may be stopped or not.
    return detail::scan_blocks(range, identity, identity, body, join,
                               detail::deterministic_scan_block_count(range, grain),
                               detail::distance(range.begin(), range.end()), &limits);
}

}  // namespace artel
