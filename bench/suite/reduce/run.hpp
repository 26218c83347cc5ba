// Reduce: one loop over blocks of numbers, then the sum of their sums by the caller.
#pragma once

#include <memory>

#include "../session.hpp"
#include "reduce.h"

namespace artel::bench {

template <class Competitor>
void sample_reduce(const session& s, Competitor& competitor, const char* name, long size,
                   long numbers, long block)
{
    const std::unique_ptr<reduce, void (*)(reduce*)> owner(reduce_make(numbers, block),
                                                           reduce_free);
    reduce* const problem = owner.get();
    volatile std::uint64_t total = 0;
    const auto sum_up = [&] {
        competitor.each(reduce_blocks(problem),
                        [problem](long number) { reduce_block(problem, number); });
        total = reduce_total(problem);
    };
    const auto check = [&] {
        reduce_forget(problem);
        sum_up();
        s.verify(
            total == reduce_expected(problem),
            "sum of " + std::to_string(numbers) + " numbers in blocks of " + std::to_string(block));
    };
    check();
    s.sample(name, size, sum_up);
    check();
}

// Sizes are numbers, in blocks of 1024 as in the thesis.
template <class Competitor>
void run_reduce(const session& s, Competitor& competitor)
{
    constexpr long k = 1024;
    for (const long size :
         s.sizes({256 * k, 4096 * k}, {64 * k, 256 * k, 1024 * k, 4096 * k, 16384 * k},
                 {16 * k, 64 * k, 256 * k, 1024 * k, 4096 * k, 16384 * k, 65536 * k}))
        sample_reduce(s, competitor, "reduce", size, size, k);
}

// Sizes are blocks, of 2^21 numbers in all: about half a millisecond for one thread.
template <class Competitor>
void run_blocks(const session& s, Competitor& competitor)
{
    constexpr long numbers = 1L << 21;
    for (const long block :
         s.sizes({1L << 10, 1L << 17}, {1L << 10, 1L << 12, 1L << 14, 1L << 16, 1L << 17},
                 {1L << 10, 1L << 11, 1L << 12, 1L << 13, 1L << 14, 1L << 15, 1L << 16, 1L << 17}))
        sample_reduce(s, competitor, "blocks", block, numbers, block);
}

}  // namespace artel::bench
