// Matrices are made from a fixed seed: every competitor gets the same one.
#include "spmv.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "spmv_storage.hpp"

namespace {

constexpr long density = 128;  // one entry in so many is not zero

// Entries of each row, in all rows * width / density.
std::vector<long> lengths(spmv_shape shape, long rows, long width)
{
    const double all = static_cast<double>(rows) * static_cast<double>(width) / density;
    double harmonic = 0;
    for (long i = 1; i <= rows; ++i)
        harmonic += 1.0 / static_cast<double>(i);
    std::vector<long> found(static_cast<std::size_t>(rows));
    for (long i = 0; i < rows; ++i) {
        double wanted = all / static_cast<double>(rows);
        if (shape == spmv_triangle)
            wanted *= 2.0 * static_cast<double>(rows - i) / static_cast<double>(rows + 1);
        else if (shape == spmv_hyperbolic)
            wanted = all / harmonic / static_cast<double>(i + 1);
        found[static_cast<std::size_t>(i)] = std::min(width, std::lround(wanted));
    }
    return found;
}

// `count` different columns below `width`, ascending: one from each of `count` equal intervals.
template <class Random>
void add_columns(std::vector<int>& columns, long count, long width, Random& random)
{
    for (long k = 0; k < count; ++k) {
        const long from = k * width / count;
        const long to = (k + 1) * width / count;
        columns.push_back(static_cast<int>(
            from + static_cast<long>(random() % static_cast<std::uint64_t>(to - from))));
    }
}

double product(const spmv& m, long row)
{
    double sum = 0;
    const auto at = static_cast<std::size_t>(row);
    for (long k = m.begin[at]; k < m.begin[at + 1]; ++k)
        sum += m.values[static_cast<std::size_t>(k)] *
               m.vector[static_cast<std::size_t>(m.columns[static_cast<std::size_t>(k)])];
    return sum;
}

}  // namespace

spmv* spmv_make(spmv_shape shape, long width, int threads)
{
    return spmv_make_rows(shape, width, threads * 512L);
}

spmv* spmv_make_rows(spmv_shape shape, long width, long rows)
{
    auto* const m = new spmv;
    std::mt19937_64 random(20240229);
    std::uniform_real_distribution<double> value(-1, 1);
    m->width = width;
    for (const long count : lengths(shape, rows, width)) {
        add_columns(m->columns, count, width, random);
        m->begin.push_back(static_cast<long>(m->columns.size()));
    }
    m->values.resize(m->columns.size());
    std::generate(m->values.begin(), m->values.end(), [&] { return value(random); });
    m->prepare();
    return m;
}

void spmv::prepare()
{
    vector.resize(static_cast<std::size_t>(width));
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> value(-1, 1);
    std::generate(vector.begin(), vector.end(), [&] { return value(random); });
    result.resize(begin.size() - 1);
    expected.resize(result.size());
    for (std::size_t row = 0; row < expected.size(); ++row)
        expected[row] = product(*this, static_cast<long>(row));
}

void spmv_free(spmv* problem)
{
    delete problem;
}

long spmv_rows(const spmv* problem)
{
    return static_cast<long>(problem->result.size());
}

long spmv_entries(const spmv* problem)
{
    return static_cast<long>(problem->values.size());
}

void spmv_row(spmv* problem, long row)
{
    problem->result[static_cast<std::size_t>(row)] = product(*problem, row);
}

void spmv_forget(spmv* problem)
{
    std::fill(problem->result.begin(), problem->result.end(),
              std::numeric_limits<double>::quiet_NaN());
}

long spmv_wrong(const spmv* problem)
{
    // Equal to the last bit: a row's sum is made in one order by one piece of code.
    const auto [found, expected] = std::mismatch(problem->result.begin(), problem->result.end(),
                                                 problem->expected.begin());
    return found == problem->result.end() ? -1 : found - problem->result.begin();
}
