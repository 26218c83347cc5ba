// Reduce: one loop over blocks of 1024 numbers, then the sum of their sums by the caller. Sizes are
// numbers.
#pragma once

#include <memory>

#include "../session.hpp"
#include "reduce.h"

namespace artel::bench {

template <class Competitor>
void run_reduce(const session& s, Competitor& competitor)
{
    constexpr long k = 1024;
    for (const long size :
         s.sizes({256 * k, 4096 * k}, {64 * k, 256 * k, 1024 * k, 4096 * k, 16384 * k},
                 {16 * k, 64 * k, 256 * k, 1024 * k, 4096 * k, 16384 * k, 65536 * k})) {
        const std::unique_ptr<reduce, void (*)(reduce*)> owner(reduce_make(size), reduce_free);
        reduce* const problem = owner.get();
        volatile std::uint64_t total = 0;
        const auto sum_up = [&] {
            competitor.each(reduce_blocks(problem),
                            [problem](long block) { reduce_block(problem, block); });
            total = reduce_total(problem);
        };
        const auto check = [&] {
            reduce_forget(problem);
            sum_up();
            s.verify(total == reduce_expected(problem),
                     "sum of " + std::to_string(size) + " numbers");
        };
        check();
        s.sample("reduce", size, sum_up);
        check();
    }
}

}  // namespace artel::bench
