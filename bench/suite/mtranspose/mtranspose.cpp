// The elements of the source are all different, so the check finds each one that was not written or
// went to a wrong place.
#include "mtranspose.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

struct mtranspose {
    std::size_t order;
    std::vector<double> from;
    std::vector<double> to;
};

mtranspose* mtranspose_make(long order)
{
    const auto n = static_cast<std::size_t>(order);
    auto* const problem = new mtranspose{n, std::vector<double>(n * n), std::vector<double>(n * n)};
    std::iota(problem->from.begin(), problem->from.end(), 0.0);
    return problem;
}

void mtranspose_free(mtranspose* problem)
{
    delete problem;
}

void mtranspose_block(mtranspose* problem, long block_row, long block_column)
{
    const std::size_t n = problem->order;
    const std::size_t edge = n / mtranspose_blocks;
    const std::size_t top = static_cast<std::size_t>(block_row) * edge;
    const std::size_t left = static_cast<std::size_t>(block_column) * edge;
    for (std::size_t row = top; row < top + edge; ++row)
        for (std::size_t column = left; column < left + edge; ++column)
            problem->to[column * n + row] = problem->from[row * n + column];
}

void mtranspose_forget(mtranspose* problem)
{
    std::fill(problem->to.begin(), problem->to.end(), std::numeric_limits<double>::quiet_NaN());
}

long mtranspose_wrong(const mtranspose* problem)
{
    const std::size_t n = problem->order;
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column)
            if (problem->to[column * n + row] != problem->from[row * n + column])
                return static_cast<long>(column * n + row);
    return -1;
}
