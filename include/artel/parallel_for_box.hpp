// parallel_for over two and three indices. The blocks of the range are numbered, columns fastest,
// and distributed as the iterations of a plain loop, so all partitioners work and neighbours stay
// together. A piece of consecutive blocks reaches the body as boxes that are as large as possible:
// at most three for two indices, five for three. The partitioner's grain counts blocks. Exceptions,
// nesting and waiting: as parallel_for of one index.
#pragma once

#include <array>
#include <artel/blocked_box.hpp>
#include <artel/parallel_for.hpp>
#include <limits>

namespace artel {
namespace detail {

// One index: its iterations, and the blocks they make.
struct box_side {
    std::int64_t count = 0;
    std::int64_t grain = 1;
    constexpr std::int64_t blocks() const { return count == 0 ? 0 : (count - 1) / grain + 1; }
};

// Makes blocks larger until their number is representable.
inline std::int64_t count_blocks(std::array<box_side, 3>& sides)
{
    for (;;) {
        std::int64_t product = 1;
        box_side* largest = &sides[0];
        bool fits = true;
        for (box_side& s : sides) {
            if (s.blocks() == 0) {
                return 0;
            }
            fits = fits && product <= std::numeric_limits<std::int64_t>::max() / s.blocks();
            product = fits ? product * s.blocks() : 0;
            largest = s.blocks() > largest->blocks() ? &s : largest;
        }
        if (fits) {
            return product;
        }
        largest->grain *= 2;  // its blocks are more than 2^21, so this does not overflow
    }
}

// Calls box(begins, ends), numbers of iterations of each side, for boxes that make up blocks
// [begin, end).
template <class Box>
void for_each_box(const std::array<box_side, 3>& sides, std::int64_t begin, std::int64_t end,
                  Box box)
{
    const std::int64_t columns = sides[2].blocks();
    const std::int64_t page = columns * sides[1].blocks();
    while (begin < end) {
        const std::int64_t left = end - begin;
        std::array<std::int64_t, 3> first{begin / page, begin % page / columns, begin % columns};
        std::array<std::int64_t, 3> size{1, 1, 1};
        if (begin % page == 0 && left >= page) {
            size = {left / page, sides[1].blocks(), columns};
        } else if (begin % columns == 0 && left >= columns) {
            size = {1, std::min(left / columns, sides[1].blocks() - first[1]), columns};
        } else {
            size = {1, 1, std::min(left, columns - first[2])};
        }
        std::array<std::int64_t, 3> last{};
        for (std::size_t i = 0; i < 3; ++i) {
            begin += i == 2 ? size[0] * size[1] * size[2] : 0;
            last[i] = first[i] + size[i] >= sides[i].blocks()
                          ? sides[i].count
                          : (first[i] + size[i]) * sides[i].grain;
            first[i] *= sides[i].grain;
        }
        box(first, last);
    }
}

template <class Index>
blocked_range<Index> part_of(const blocked_range<Index>& whole, std::int64_t begin,
                             std::int64_t end)
{
    return {advance(whole.begin(), begin), advance(whole.begin(), end)};
}

template <class Row, class Column, class Body, class P>
void for_each_box_of(const blocked_range2d<Row, Column>& range, Body& body, const P& how,
                     const limit* limits)
{
    std::array<box_side, 3> sides{
        box_side{1, 1},
        box_side{distance(range.rows().begin(), range.rows().end()), range.row_grain()},
        box_side{distance(range.columns().begin(), range.columns().end()), range.column_grain()}};
    const std::int64_t blocks = count_blocks(sides);
    auto piece = [&](std::int64_t begin, std::int64_t end, unsigned) {
        for_each_box(sides, begin, end, [&](const auto& first, const auto& last) {
            body(blocked_range2d<Row, Column>(part_of(range.rows(), first[1], last[1]),
                                              part_of(range.columns(), first[2], last[2]),
                                              range.row_grain(), range.column_grain()));
        });
    };
    run_pieces(blocks, piece, how, limits);
}

template <class Page, class Row, class Column, class Body, class P>
void for_each_box_of(const blocked_range3d<Page, Row, Column>& range, Body& body, const P& how,
                     const limit* limits)
{
    std::array<box_side, 3> sides{
        box_side{distance(range.pages().begin(), range.pages().end()), range.page_grain()},
        box_side{distance(range.rows().begin(), range.rows().end()), range.row_grain()},
        box_side{distance(range.columns().begin(), range.columns().end()), range.column_grain()}};
    const std::int64_t blocks = count_blocks(sides);
    auto piece = [&](std::int64_t begin, std::int64_t end, unsigned) {
        for_each_box(sides, begin, end, [&](const auto& first, const auto& last) {
            body(blocked_range3d<Page, Row, Column>(
                part_of(range.pages(), first[0], last[0]), part_of(range.rows(), first[1], last[1]),
                part_of(range.columns(), first[2], last[2]), range.page_grain(), range.row_grain(),
                range.column_grain()));
        });
    };
    run_pieces(blocks, piece, how, limits);
}

}  // namespace detail

// body(r) for boxes r that together make up the range, each iteration in one of them.
template <class Row, class Column, class Body, partitioner P = automatic>
    requires std::invocable<Body&, blocked_range2d<Row, Column>>
void parallel_for(const blocked_range2d<Row, Column>& range, Body&& body, const P& how = {},
                  const limit& limits = {})
{
    detail::for_each_box_of(range, body, how, &limits);
}

template <class Page, class Row, class Column, class Body, partitioner P = automatic>
    requires std::invocable<Body&, blocked_range3d<Page, Row, Column>>
void parallel_for(const blocked_range3d<Page, Row, Column>& range, Body&& body, const P& how = {},
                  const limit& limits = {})
{
    detail::for_each_box_of(range, body, how, &limits);
}

}  // namespace artel
