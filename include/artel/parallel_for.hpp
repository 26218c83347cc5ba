// parallel_for: a loop whose iterations may run at the same time.
//
// Common to all forms. The call returns when every iteration is done; the caller takes part, and
// external threads do while they wait. Iterations must not depend on each other's order or on
// running at the same time. If an iteration throws, iterations that have not begun are dropped, and
// the first exception reaches the caller, once, after all participants have left the loop. Loops
// may be nested and called from many threads at once: the same workers serve all. A loop makes no
// heap allocation (except the first ones on each worker). Switches: the caller may continue on
// another worker, unless it is an external thread.
#pragma once

#include <algorithm>
#include <artel/blocked_range.hpp>
#include <artel/detail/loop_bounds.hpp>
#include <artel/detail/short_loop.hpp>
#include <artel/limit.hpp>
#include <artel/partitioner.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace artel {
namespace detail {

// A copy, so that a body may change its index.
template <class Index>
[[gnu::always_inline]] constexpr Index copy_of(const Index& i)
{
    return i;
}

// function(arguments...), also for pointers to members, as std::invoke, which is slower in
// unoptimised builds.
template <class Function, class... Arguments>
[[gnu::always_inline]] constexpr decltype(auto) call(Function& function, Arguments&&... arguments)
{
    if constexpr (std::is_member_pointer_v<Function>) {
        return std::invoke(function, std::forward<Arguments>(arguments)...);
    } else {
        return function(std::forward<Arguments>(arguments)...);
    }
}

template <loop_index Index>
Index advance(Index first, std::int64_t by)
{
    if constexpr (std::integral<Index>) {
        return static_cast<Index>(static_cast<std::uint64_t>(first) +
                                  static_cast<std::uint64_t>(by));
    } else {
        return first + static_cast<std::iter_difference_t<Index>>(by);
    }
}

// The number of values first, first + step, ... before last.
template <std::integral Index, std::integral Step>
std::int64_t steps_between(Index first, Index last, Step step)
{
    if (step == 0) {
        throw std::invalid_argument("artel::parallel_for: the step is 0");
    }
    const bool down = std::cmp_less(step, 0);
    if (down ? first <= last : first >= last) {
        return 0;
    }
    // As unsigned: both the distance and the step may be too large for the signed types.
    const auto from = static_cast<std::uint64_t>(first);
    const auto to = static_cast<std::uint64_t>(last);
    const std::uint64_t by = down ? 0 - static_cast<std::uint64_t>(step)
                                  : static_cast<std::uint64_t>(step);
    return counted(((down ? from - to : to - from) - 1) / by + 1);
}

// The body of a loop is compiled only here, whether the library runs it, by its address, or the
// caller itself (run_pieces). If it were inlined in both, the compiler would decide twice how to
// vectorise it, and one of the two would be slower. (noclone: for the same reason.)
template <class Piece>
ARTEL_OUT_OF_LINE void call_piece(void* context, std::int64_t begin, std::int64_t end,
                                  unsigned participant)
{
    (*static_cast<Piece*>(context))(begin, end, participant);
}

// Runs piece(begin, end, participant) over [0, count). A single iteration, and a very short loop in
// a busy crew, are run by the caller, without the library.
template <class Piece, partitioner P>
void run_pieces(std::int64_t count, Piece& piece, const P& how, const limit* limits)
{
    void* const context = const_cast<void*>(static_cast<const void*>(std::addressof(piece)));
    loop_request request;
    if constexpr (P::algorithm == loop_algorithm::automatic) {
        if (limits == nullptr) {
            if (count == 1) {
                call_piece<Piece>(context, 0, 1, 0);
                return;
            }
            if (const free_workers* const others = count > 1 ? short_loop(call_piece<Piece>, count)
                                                             : nullptr;
                others != nullptr) {
                request.begin = run_in_fourths(
                    count, std::max<std::int64_t>(how.grain, 1),
                    [context](std::int64_t begin, std::int64_t end) {
                        call_piece<Piece>(context, begin, end, 0);
                    },
                    [&] { return others->none(); });
                if (request.begin == count) {
                    return;
                }
            }
        }
    }
    request.end = count;
    request.grain = how.grain;
    request.algorithm = P::algorithm;
    request.context = context;
    request.body = call_piece<Piece>;
    request.limits = limits;
    run_loop(request);
}

// Calls what(body). Inside, only the body changes its own fields (its captures), so the compiler
// may keep them in registers, as in a plain loop: __restrict.
template <class What, class Body>
    requires std::is_object_v<Body>
inline void with_body(Body& __restrict body, const What& what)
{
    what(body);
}
template <class What, class Function>
inline void with_body(Function& function, const What& what)
{
    what(function);
}

// Iterations [begin, end) of a loop over indices. A type of its own, so that the loop is compiled
// once for all partitioners.
template <class Index, class Body>
struct index_piece {
    Index first;
    Body& body;

    void operator()(std::int64_t begin, std::int64_t end, unsigned) const
    {
        with_body(body, [from = detail::advance(first, begin),
                         stop = detail::advance(first, end)](Body& mine) {
            for (Index i = from; i != stop; ++i) {
                detail::call(mine, copy_of(i));
            }
        });
    }
};

template <class Index, class Body>
struct block_piece {
    Index first;
    Body& body;

    void operator()(std::int64_t begin, std::int64_t end, unsigned) const
    {
        with_body(body, [from = detail::advance(first, begin), stop = detail::advance(first, end)](
                            Body& mine) { mine(blocked_range<Index>(from, stop)); });
    }
};

template <class Index, class Body, class P>
void for_each_index(Index first, Index last, Body& body, const P& how, const limit* limits)
{
    index_piece<Index, Body> piece{first, body};
    run_pieces(detail::distance(first, last), piece, how, limits);
}

template <class Index, class Body, class P>
void for_each_block(const blocked_range<Index>& range, Body& body, const P& how,
                    const limit* limits)
{
    block_piece<Index, Body> piece{range.begin(), body};
    run_pieces(detail::distance(range.begin(), range.end()), piece, how, limits);
}

template <class R>
struct is_blocked_range : std::false_type {};
template <class Index>
struct is_blocked_range<blocked_range<Index>> : std::true_type {};

template <class R>
concept element_range = std::ranges::random_access_range<R> && std::ranges::sized_range<R> &&
                        !is_blocked_range<std::remove_cvref_t<R>>::value;

}  // namespace detail

// body(i) for every i of [first, last): integers or random-access iterators. Indices have the type
// of `first`; throws std::out_of_range for a `last` that this type cannot represent, and
// std::length_error for 2^63 iterations or more.
template <loop_index Index, class Body, partitioner P = automatic>
    requires std::invocable<Body&, Index>
void parallel_for(Index first, detail::end_of_range<Index> last, Body&& body, const P& how = {})
{
    detail::for_each_index(first, last.after(first), body, how, nullptr);
}

template <loop_index Index, class Body, partitioner P = automatic>
    requires std::invocable<Body&, Index>
void parallel_for(Index first, detail::end_of_range<Index> last, Body&& body, const P& how,
                  const limit& limits)
{
    detail::for_each_index(first, last.after(first), body, how, &limits);
}

// body(i) for i = first, first + step, ... before last; downwards where step is negative. Throws
// std::invalid_argument for a step of 0, std::out_of_range for a `last` that Index cannot
// represent.
template <std::integral Index, std::integral Step, class Body, partitioner P = automatic>
    requires std::invocable<Body&, Index>
void parallel_for(Index first, detail::end_of_range<Index> last, Step step, Body&& body,
                  const P& how = {}, const limit& limits = {})
{
    auto piece = [first, by = static_cast<std::uint64_t>(step), &body](std::int64_t begin,
                                                                       std::int64_t end, unsigned) {
        std::uint64_t at = static_cast<std::uint64_t>(first) +
                           static_cast<std::uint64_t>(begin) * by;
        for (std::int64_t left = end - begin; left > 0; --left, at += by) {
            detail::call(body, static_cast<Index>(at));
        }
    };
    const Index end = last.after(first, detail::is_negative(step));
    detail::run_pieces(detail::steps_between(first, end, step), piece, how, &limits);
}

// body(r) for pieces r that together make up the range: for bodies that prepare something for each
// piece.
template <loop_index Index, class Body, partitioner P = automatic>
    requires std::invocable<Body&, blocked_range<Index>>
void parallel_for(const blocked_range<Index>& range, Body&& body, const P& how = {})
{
    detail::for_each_block(range, body, how, nullptr);
}

template <loop_index Index, class Body, partitioner P = automatic>
    requires std::invocable<Body&, blocked_range<Index>>
void parallel_for(const blocked_range<Index>& range, Body&& body, const P& how, const limit& limits)
{
    detail::for_each_block(range, body, how, &limits);
}

// body(element) for every element of a container, span or view.
template <detail::element_range R, class Body, partitioner P = automatic>
    requires std::invocable<Body&, std::ranges::range_reference_t<R>>
void parallel_for(R&& elements, Body&& body, const P& how = {})
{
    auto first = std::ranges::begin(elements);
    auto each = [first, &body](std::int64_t i) {
        detail::call(body, first[static_cast<std::ranges::range_difference_t<R>>(i)]);
    };
    detail::for_each_index(std::int64_t{0}, detail::counted(std::ranges::size(elements)), each, how,
                           nullptr);
}

template <detail::element_range R, class Body, partitioner P = automatic>
    requires std::invocable<Body&, std::ranges::range_reference_t<R>>
void parallel_for(R&& elements, Body&& body, const P& how, const limit& limits)
{
    auto first = std::ranges::begin(elements);
    auto each = [first, &body](std::int64_t i) {
        detail::call(body, first[static_cast<std::ranges::range_difference_t<R>>(i)]);
    };
    detail::for_each_index(std::int64_t{0}, detail::counted(std::ranges::size(elements)), each, how,
                           &limits);
}

}  // namespace artel
