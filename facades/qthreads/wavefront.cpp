// A lattice in which each unit depends on its neighbours to the left, below, and below to the left.
// It is computed in blocks, those of one diagonal at a time.
#include "loop.hpp"
#include "qarray.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

namespace artel::qthreads {
namespace {

using computation = void (*)(const void* left, const void* left_below, const void* below,
                             void* out);

constexpr std::size_t side = 64;  // of a block, in units

// Calls block(context, first row, first column) for all blocks, each after those that it depends
// on.
template <class Block>
void by_diagonals(std::size_t rows, std::size_t columns, Block& block)
{
    struct diagonal {
        Block* block;
        std::size_t number;
        std::size_t first;
    };
    const std::size_t high = (rows + side - 1) / side;
    const std::size_t wide = (columns + side - 1) / side;
    for (std::size_t n = 0; n < high + wide - 1; ++n) {
        diagonal d{&block, n, n < wide ? 0 : n - wide + 1};
        const std::size_t end = std::min(n + 1, high);
        run_pieces(
            d.first, end, usual_pieces(),
            [](void* context, std::size_t, std::size_t from, std::size_t to) {
                const diagonal& of = *static_cast<diagonal*>(context);
                for (std::size_t row = from; row < to; ++row) {
                    (*of.block)(row* side, (of.number - row) * side);
                }
            },
            &d);
    }
}

struct lattice {
    std::size_t rows;
    std::size_t columns;
    std::size_t unit;
    std::vector<unsigned char> units;

    void* at(std::size_t row, std::size_t column)
    {
        return units.data() + (row * columns + column) * unit;
    }
};

// `below` has one unit more than there are columns: the first one is the corner.
lattice* computed(const qarray& left, const qarray& below, computation compute)
{
    auto* const l = new lattice{left.count, below.count - 1, left.unit_size, {}};
    l->units.resize(l->rows * l->columns * l->unit);
    const auto value = [&](std::size_t row, std::size_t column) -> const void* {
        // Numbered from 1, so that 0 is the border.
        return column == 0 ? (row == 0 ? below.at(0) : left.at(row - 1))
               : row == 0  ? below.at(column)
                           : l->at(row - 1, column - 1);
    };
    auto block = [&](std::size_t row0, std::size_t column0) {
        for (std::size_t row = row0; row < std::min(row0 + side, l->rows); ++row) {
            for (std::size_t c = column0; c < std::min(column0 + side, l->columns); ++c) {
                compute(value(row + 1, c), value(row, c), value(row, c + 1), l->at(row, c));
            }
        }
    };
    by_diagonals(l->rows, l->columns, block);
    return l;
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

lattice* qt_wavefront(qarray* left, qarray* below, computation compute)
{
    if (left == nullptr || below == nullptr || below->count < 2 ||
        left->unit_size != below->unit_size) {
        return nullptr;
    }
    try {
        return computed(*left, *below, compute);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void qt_wavefront_print_lattice(const lattice* l)
{
    if (l != nullptr) {
        std::printf("lattice of %zu rows and %zu columns, units of %zu bytes\n", l->rows,
                    l->columns, l->unit);
    }
}
void qt_wavefront_destroy_lattice(lattice* l)
{
    delete l;
}
// values[column][row]: the first column and the first row are given, the others are computed.
void qt_basic_wavefront(int** values, std::size_t columns, std::size_t rows, computation compute)
{
    if (columns < 2 || rows < 2) {
        return;
    }
    auto block = [&](std::size_t column0, std::size_t row0) {
        for (std::size_t c = column0 + 1; c < std::min(column0 + side + 1, columns); ++c) {
            for (std::size_t row = row0 + 1; row < std::min(row0 + side + 1, rows); ++row) {
                compute(&values[c - 1][row], &values[c - 1][row - 1], &values[c][row - 1],
                        &values[c][row]);
            }
        }
    };
    by_diagonals(columns - 1, rows - 1, block);
}
}
