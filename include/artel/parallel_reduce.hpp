// parallel_reduce: combines a value per iteration into one.
//
// `join` must be associative; it need not be commutative: parts are joined in the order of their
// iterations. Where the parts begin depends on timing, so floating-point sums may differ in the
// last bits from run to run, except with static_ partitioning, where they depend only on the number
// of workers. Exceptions, nesting and waiting: as parallel_for.
#pragma once

#include <algorithm>
#include <artel/detail/join_into.hpp>
#include <artel/parallel_for.hpp>
#include <functional>
#include <optional>
#include <vector>

namespace artel {
namespace detail {

// The results of one participant: a value for each run of pieces that followed one another without
// a gap.
template <class T>
struct alignas(std::max<std::size_t>(128, alignof(T))) partial_results {
    struct part {
        std::int64_t begin;
        std::int64_t end;
        T value;
    };
    std::optional<part> current;
    std::vector<part> earlier;  // only when there has been a gap, that is, after stealing
};

// run(piece) calls piece(begin, end, participant) for pieces that make up the range. `apart`: a
// piece is a part of its own, whichever participant runs it.
template <class T, class Reduce, class Join, class Run>
T reduce_parts(unsigned participants, bool apart, const T& identity, Reduce& reduce, Join& join,
               const Run& run)
{
    using results = partial_results<T>;
    std::vector<results> all(participants);
    auto piece = [&](std::int64_t begin, std::int64_t end, unsigned participant) {
        auto& mine = all[participant];
        if (!mine.current || mine.current->end != begin || apart) {
            if (mine.current) {
                mine.earlier.push_back(std::move(*mine.current));
            }
            mine.current.emplace(begin, begin, identity);
        }
        // The value is moved out while the body reduces it, so a body that throws leaves no partial
        // value in the results.
        mine.current->value = reduce(begin, end, std::move(mine.current->value));
        mine.current->end = end;
    };
    run(piece);

    using part = typename results::part;
    std::vector<part> parts;
    for (results& r : all) {
        std::move(r.earlier.begin(), r.earlier.end(), std::back_inserter(parts));
        if (r.current) {
            parts.push_back(std::move(*r.current));
        }
    }
    std::sort(parts.begin(), parts.end(),
              [](const part& a, const part& b) { return a.begin < b.begin; });
    if (parts.empty()) {
        return identity;
    }
    T total = std::move(parts.front().value);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        join_into(total, join, std::move(parts[i].value));
    }
    return total;
}

template <class T, class Reduce, class Join, class P>
T reduce_pieces(std::int64_t count, const T& identity, Reduce& reduce, Join& join, const P& how,
                const limit* limits)
{
    // A static share is a part of its own, so that the result does not depend on which participant
    // ran it.
    return reduce_parts(loop_width(limits), P::algorithm == loop_algorithm::static_, identity,
                        reduce, join, [&](auto& piece) { run_pieces(count, piece, how, limits); });
}

template <class Index, class T, class Body, class Join, class P>
T reduce_blocks(const blocked_range<Index>& range, const T& identity, Body& body, Join& join,
                const P& how, const limit* limits)
{
    auto reduce = [first = range.begin(), &body](std::int64_t begin, std::int64_t end,
                                                 T value) -> T {
        return body(
            blocked_range<Index>(detail::advance(first, begin), detail::advance(first, end)),
            std::move(value));
    };
    return reduce_pieces(detail::distance(range.begin(), range.end()), identity, reduce, join, how,
                         limits);
}

template <class Index, class T, class Map, class Join, class P>
T reduce_indices(Index first, Index last, const T& identity, Map& map, Join& join, const P& how,
                 const limit* limits)
{
    auto reduce = [first, &map, &join](std::int64_t begin, std::int64_t end, T value) -> T {
        const Index stop = detail::advance(first, end);
        for (Index i = detail::advance(first, begin); i != stop; ++i) {
            join_into(value, join, detail::call(map, copy_of(i)));
        }
        return value;
    };
    return reduce_pieces(detail::distance(first, last), identity, reduce, join, how, limits);
}

}  // namespace detail

// body(piece, value) returns `value` joined with the piece's iterations; join(left, right) joins
// neighbours. join(identity, x) must be x. T must be movable and `identity` copyable.
template <loop_index Index, class T, class Body, class Join, partitioner P = automatic>
    requires std::invocable<Body&, blocked_range<Index>, T>
[[nodiscard]] T parallel_reduce(const blocked_range<Index>& range, T identity, Body&& body,
                                Join&& join, const P& how = {})
{
    return detail::reduce_blocks(range, identity, body, join, how, nullptr);
}

template <loop_index Index, class T, class Body, class Join, partitioner P = automatic>
    requires std::invocable<Body&, blocked_range<Index>, T>
[[nodiscard]] T parallel_reduce(const blocked_range<Index>& range, T identity, Body&& body,
                                Join&& join, const P& how, const limit& limits)
{
    return detail::reduce_blocks(range, identity, body, join, how, &limits);
}

// Joins map(i) for every i of [first, last), which is given as for parallel_for.
template <loop_index Index, class T, class Map, class Join, partitioner P = automatic>
    requires std::invocable<Map&, Index>
[[nodiscard]] T parallel_reduce(Index first, detail::end_of_range<Index> last, T identity,
                                Map&& map, Join&& join, const P& how = {})
{
    return detail::reduce_indices(first, last.after(first), identity, map, join, how, nullptr);
}

template <loop_index Index, class T, class Map, class Join, partitioner P = automatic>
    requires std::invocable<Map&, Index>
[[nodiscard]] T parallel_reduce(Index first, detail::end_of_range<Index> last, T identity,
                                Map&& map, Join&& join, const P& how, const limit& limits)
{
    return detail::reduce_indices(first, last.after(first), identity, map, join, how, &limits);
}

}  // namespace artel
