// See matrix.hpp.
#include "lab/matrix.hpp"

#include "lab/random.hpp"

#include <vector>

namespace artel::lab {

namespace {

// Elements are whole numbers far below 2^53.
std::uint64_t whole(double value) noexcept
{
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

// y = m * x modulo 2^64
template <class Layout>
std::vector<std::uint64_t> apply(const Layout& layout, const double* m,
                                 const std::vector<std::uint64_t>& x)
{
    std::vector<std::uint64_t> y(layout.size());
    for (std::size_t i = 0; i < layout.size(); ++i)
        for (std::size_t k = 0; k < layout.size(); ++k)
            y[i] += whole(m[layout(i, k)]) * x[k];
    return y;
}

bool is_whole(double value) noexcept
{
    return value > -0x1p53 && value < 0x1p53 &&
           value == static_cast<double>(static_cast<std::int64_t>(value));
}

}  // namespace

template <class Layout>
void fill_matrix(const Layout& layout, double* m, std::uint64_t which)
{
    for (std::size_t i = 0; i < layout.size(); ++i)
        for (std::size_t k = 0; k < layout.size(); ++k)
            m[layout(i, k)] = static_cast<double>(
                                  mix(which * 0x9e3779b97f4a7c15u + i * layout.size() + k) % 31) -
                              15;
}

template <class Layout>
void multiply_rows(const Layout& layout, const double* a, const double* b, double* r,
                   std::size_t begin, std::size_t end)
{
    const auto size = layout.size();
    for (std::size_t i = begin; i < end; ++i)
        for (std::size_t j = 0; j < size; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < size; ++k)
                sum += a[layout(i, k)] * b[layout(k, j)];
            r[layout(i, j)] = sum;
        }
}

template <class Layout>
std::ptrdiff_t find_wrong_row(const Layout& layout, const double* a, const double* b,
                              const double* r)
{
    random_sequence random(99, layout.size());
    std::vector<std::uint64_t> x(layout.size());
    for (auto& it : x)
        it = random.next();
    const auto expected = apply(layout, a, apply(layout, b, x));
    const auto found = apply(layout, r, x);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        bool right = expected[i] == found[i];
        for (std::size_t k = 0; right && k < layout.size(); ++k)
            right = is_whole(r[layout(i, k)]);  // the comparison above truncates
        if (!right)
            return static_cast<std::ptrdiff_t>(i);
    }
    return -1;
}

template <class Layout>
std::ptrdiff_t find_wrong_row_fully(const Layout& layout, const double* a, const double* b,
                                    const double* r)
{
    const auto size = layout.size();
    std::vector<std::int64_t> row(size);
    for (std::size_t i = 0; i < size; ++i) {
        row.assign(size, 0);
        for (std::size_t k = 0; k < size; ++k)
            for (std::size_t j = 0; j < size; ++j)
                row[j] += static_cast<std::int64_t>(a[layout(i, k)]) *
                          static_cast<std::int64_t>(b[layout(k, j)]);
        for (std::size_t j = 0; j < size; ++j)
            if (r[layout(i, j)] != static_cast<double>(row[j]))
                return static_cast<std::ptrdiff_t>(i);
    }
    return -1;
}

#define ARTEL_LAB_INSTANTIATE(layout)                                                              \
    template void fill_matrix(const layout&, double*, std::uint64_t);                              \
    template void multiply_rows(const layout&, const double*, const double*, double*, std::size_t, \
                                std::size_t);                                                      \
    template std::ptrdiff_t find_wrong_row(const layout&, const double*, const double*,            \
                                           const double*);                                         \
    template std::ptrdiff_t find_wrong_row_fully(const layout&, const double*, const double*,      \
                                                 const double*)
ARTEL_LAB_INSTANTIATE(rows_layout);
ARTEL_LAB_INSTANTIATE(tiles_layout);

}  // namespace artel::lab
