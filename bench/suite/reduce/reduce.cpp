#include "reduce.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {
constexpr long block_size = 1024;
}

struct reduce {
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint64_t> sums;
};

reduce* reduce_make(long size)
{
    auto* const problem = new reduce;
    problem->numbers.resize(static_cast<std::size_t>(size));
    std::uint32_t number = 1;
    for (std::uint32_t& each : problem->numbers)
        each = (number = number * 1664525 + 1013904223) >> 16;
    problem->sums.resize(static_cast<std::size_t>(size / block_size));
    return problem;
}

void reduce_free(reduce* problem)
{
    delete problem;
}

long reduce_blocks(const reduce* problem)
{
    return static_cast<long>(problem->sums.size());
}

void reduce_block(reduce* problem, long block)
{
    const std::uint32_t* const first = problem->numbers.data() + block * block_size;
    problem->sums[static_cast<std::size_t>(block)] = std::accumulate(first, first + block_size,
                                                                     std::uint64_t{0});
}

std::uint64_t reduce_total(const reduce* problem)
{
    return std::accumulate(problem->sums.begin(), problem->sums.end(), std::uint64_t{0});
}

void reduce_forget(reduce* problem)
{
    std::fill(problem->sums.begin(), problem->sums.end(), ~std::uint64_t{0});
}

std::uint64_t reduce_expected(const reduce* problem)
{
    return std::accumulate(problem->numbers.begin(), problem->numbers.end(), std::uint64_t{0});
}
