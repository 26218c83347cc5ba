// parallel_deterministic_reduce: as parallel_reduce, but the result does not depend on the number
// of workers and is the same in every run, even where `join` is not quite associative, as with sums
// of floating-point numbers.
//
// The range is cut into blocks that depend on its length and the grain only. Neighbours are joined
// in pairs, then pairs of pairs, and so on, so that the order of operations does not depend on
// timing. The thread that completes the second of two neighbours joins them, so joins run at the
// same time, too. The price: memory for a value per block (at most 1024), and blocks that do not
// adapt to the costs of iterations.
#pragma once

#include <algorithm>
#include <artel/detail/join_into.hpp>
#include <artel/parallel_for.hpp>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace artel {
namespace detail {

inline constexpr std::int64_t most_deterministic_blocks = 1024;

// reduce(begin, end) is the value of iterations [begin, end). run(blocks, each) calls each(i) for
// every i below `blocks`.
template <class T, class Reduce, class Join, class Run>
T reduce_in_pairs_by(std::int64_t count, const T& identity, Reduce& reduce, Join& join,
                     std::int64_t grain, const limit* limits, const Run& run)
{
    if (count == 0) {
        return identity;
    }
    const std::int64_t block = std::max<std::int64_t>(std::max<std::int64_t>(grain, 1),
                                                      (count - 1) / most_deterministic_blocks + 1);
    const auto blocks = static_cast<std::size_t>((count - 1) / block + 1);
    std::vector<std::optional<T>> values(blocks);
    // Element i, for the pair whose right half begins with block i: whether one of the two halves
    // is complete.
    const auto one_is_there = std::make_unique<std::atomic<bool>[]>(blocks);
    auto each = [&](std::size_t at) {
        const std::int64_t begin = static_cast<std::int64_t>(at) * block;
        values[at].emplace(reduce(begin, count - begin > block ? begin + block : count));
        for (std::size_t width = 1; width < blocks; width *= 2) {
            const std::size_t left = at & ~width;
            const std::size_t right = at | width;
            if (right < blocks) {
                // release: publishes our half; acquire: pairs with that of the other half.
                if (!one_is_there[right].exchange(true, std::memory_order_acq_rel)) {
                    return;
                }
                // Apart: the join may return a reference to what it was given.
                T both(join(std::move(*values[left]), std::move(*values[right])));
                values[left].emplace(std::move(both));
            }
            at = left;
        }
    };
    run(blocks, each);
    if (limits != nullptr && limits->stop.stop_requested()) {
        return identity;
    }
    return std::move(*values.front());
}

template <class T, class Reduce, class Join>
T reduce_in_pairs(std::int64_t count, const T& identity, Reduce& reduce, Join& join,
                  std::int64_t grain, const limit* limits)
{
    return reduce_in_pairs_by(count, identity, reduce, join, grain, limits,
                              [&](std::size_t blocks, auto& each) {
                                  for_each_index(std::size_t{0}, blocks, each, automatic{}, limits);
                              });
}

}  // namespace detail

// body(piece, identity) returns the value of the piece's iterations; join(left, right) joins
// neighbours. `grain`: fewest iterations of a block; another grain may give another result. After a
// requested stop the result is meaningless. Exceptions, nesting and waiting: as parallel_for.
template <loop_index Index, class T, class Body, class Join>
    requires std::invocable<Body&, blocked_range<Index>, T>
[[nodiscard]] T parallel_deterministic_reduce(const blocked_range<Index>& range, T identity,
                                              Body&& body, Join&& join, std::int64_t grain = 1,
                                              const limit& limits = {})
{
    auto reduce = [&](std::int64_t begin, std::int64_t end) -> T {
        return body(blocked_range<Index>(detail::advance(range.begin(), begin),
                                         detail::advance(range.begin(), end)),
                    identity);
    };
    return detail::reduce_in_pairs(detail::distance(range.begin(), range.end()), identity, reduce,
                                   join, grain, &limits);
}

// Joins map(i) for every i of [first, last): from left to right within a block.
template <loop_index Index, class T, class Map, class Join>
    requires std::invocable<Map&, Index>
[[nodiscard]] T parallel_deterministic_reduce(Index first, detail::end_of_range<Index> last,
                                              T identity, Map&& map, Join&& join,
                                              std::int64_t grain = 1, const limit& limits = {})
{
    auto reduce = [&](std::int64_t begin, std::int64_t end) -> T {
        T value = identity;
        const Index stop = detail::advance(first, end);
        for (Index i = detail::advance(first, begin); i != stop; ++i) {
            detail::join_into(value, join, detail::call(map, detail::copy_of(i)));
        }
        return value;
    };
    return detail::reduce_in_pairs(detail::distance(first, last.after(first)), identity, reduce,
                                   join, grain, &limits);
}

}  // namespace artel
