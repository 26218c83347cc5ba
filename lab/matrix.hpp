// Layouts of square matrices, the multiplication that is measured, and its checks (matrix.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::lab {

class rows_layout {
public:
    explicit rows_layout(std::size_t size) noexcept : size_(size) {}
    std::size_t size() const noexcept { return size_; }
    std::size_t elements() const noexcept { return size_ * size_; }
    std::size_t operator()(std::size_t i, std::size_t k) const noexcept { return i * size_ + k; }

private:
    std::size_t size_;
};

// Tiles of 32 rows and 16 columns, a page each. Sizes that are no multiple leave the last tiles
// partly unused.
class tiles_layout {
public:
    static constexpr std::size_t tile_rows = 32, tile_columns = 16;

    explicit tiles_layout(std::size_t size) noexcept
        : size_(size), across_((size + tile_columns - 1) / tile_columns),
          down_((size + tile_rows - 1) / tile_rows)
    {}
    std::size_t size() const noexcept { return size_; }
    std::size_t elements() const noexcept { return across_ * down_ * tile_rows * tile_columns; }
    std::size_t operator()(std::size_t i, std::size_t k) const noexcept
    {
        const auto tile = i / tile_rows * across_ + k / tile_columns;
        return (tile * tile_rows + i % tile_rows) * tile_columns + k % tile_columns;
    }

private:
    std::size_t size_, across_, down_;
};

// Small whole numbers, a function of the position and `which` only.
template <class Layout>
void fill_matrix(const Layout& layout, double* m, std::uint64_t which);

// Rows [begin, end) of r = a * b, each element as one sum over k in ascending order. Compiled with
// optimisations that would reorder memory accesses switched off (see lab/CMakeLists.txt): the
// access pattern is what is measured.
template <class Layout>
void multiply_rows(const Layout& layout, const double* a, const double* b, double* r,
                   std::size_t begin, std::size_t end);

// A row in which r is not a * b, or -1. The first form is probabilistic (see matmul.cpp) and fast,
// the second multiplies again.
template <class Layout>
std::ptrdiff_t find_wrong_row(const Layout& layout, const double* a, const double* b,
                              const double* r);
template <class Layout>
std::ptrdiff_t find_wrong_row_fully(const Layout& layout, const double* a, const double* b,
                                    const double* r);

}  // namespace artel::lab
