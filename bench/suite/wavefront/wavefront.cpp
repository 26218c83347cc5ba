// The table is computed by one thread when the problem is made, and the loops' table is compared
// with it. A row and a column of zeros before the first blocks save them a special case.
#include "wavefront.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

constexpr std::size_t edge = 32;

}  // namespace

struct wavefront {
    std::size_t width;  // of the table, with a row and a column of zeros before it
    std::vector<char> down, across;
    std::vector<int> table, expected;

    void block(std::vector<int>& into, std::size_t row, std::size_t column) const
    {
        for (std::size_t i = row * edge + 1; i <= (row + 1) * edge; ++i)
            for (std::size_t j = column * edge + 1; j <= (column + 1) * edge; ++j)
                into[i * width + j] = down[i] == across[j] ? into[(i - 1) * width + j - 1] + 1
                                                           : std::max(into[(i - 1) * width + j],
                                                                      into[i * width + j - 1]);
    }
};

wavefront* wavefront_make(long size)
{
    const std::size_t blocks = static_cast<std::size_t>(size);
    const std::size_t width = blocks * edge + 1;
    auto* const problem = new wavefront{width, std::vector<char>(width), std::vector<char>(width),
                                        std::vector<int>(width * width),
                                        std::vector<int>(width * width)};
    for (std::size_t i = 0; i < width; ++i) {
        problem->down[i] = static_cast<char>(i * i % 7 % 4);
        problem->across[i] = static_cast<char>((i * 3 + i / 5) % 4);
    }
    for (std::size_t row = 0; row < blocks; ++row)
        for (std::size_t column = 0; column < blocks; ++column)
            problem->block(problem->expected, row, column);
    return problem;
}

void wavefront_free(wavefront* problem)
{
    delete problem;
}

void wavefront_block(wavefront* problem, long row, long column)
{
    problem->block(problem->table, static_cast<std::size_t>(row), static_cast<std::size_t>(column));
}

void wavefront_forget(wavefront* problem)
{
    for (std::size_t i = 1; i < problem->width; ++i)
        for (std::size_t j = 1; j < problem->width; ++j)
            problem->table[i * problem->width + j] = -1;
}

long wavefront_wrong(const wavefront* problem)
{
    const auto differ = std::mismatch(problem->table.begin(), problem->table.end(),
                                      problem->expected.begin())
                            .first;
    return differ == problem->table.end() ? -1 : differ - problem->table.begin();
}
