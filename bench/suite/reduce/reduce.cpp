// Each block writes its sum to an element of its own, so blocks need no synchronisation. The
// numbers are pseudo-random, of 16 bits.
#include "reduce.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

struct reduce {
    long block_size = 0;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint64_t> sums;
};

reduce* reduce_make(long size, long block)
{
    auto* const problem = new reduce;
    problem->block_size = block;
    problem->numbers.resize(static_cast<std::size_t>(size));
    std::uint32_t number = 1;
    for (std::uint32_t& each : problem->numbers)
        each = (number = number * 1664525 + 1013904223) >> 16;
    problem->sums.resize(static_cast<std::size_t>(size / block));
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
    const long size = problem->block_size;
    const std::uint32_t* const first = problem->numbers.data() + block * size;
    problem->sums[static_cast<std::size_t>(block)] = std::accumulate(first, first + size,
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
