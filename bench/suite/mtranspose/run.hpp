// MTranspose: a loop over 16 rows of blocks, in each iteration a loop over 16 blocks. Sizes are the
// matrix's order.
#pragma once

#include <memory>

#include "../session.hpp"
#include "mtranspose.h"

namespace artel::bench {

template <class Competitor>
void run_mtranspose(const session& s, Competitor& competitor)
{
    if constexpr (requires { competitor.inner(1, [](long) {}); }) {
        for (const long order : s.sizes({256, 1024}, {64, 128, 256, 512, 1024, 2048},
                                        {64, 128, 256, 512, 1024, 2048, 4096})) {
            const std::unique_ptr<mtranspose, void (*)(mtranspose*)> owner(mtranspose_make(order),
                                                                           mtranspose_free);
            mtranspose* const problem = owner.get();
            const auto transpose = [&] {
                competitor.each(mtranspose_blocks, [&competitor, problem](long row) {
                    competitor.inner(mtranspose_blocks, [problem, row](long column) {
                        mtranspose_block(problem, row, column);
                    });
                });
            };
            const auto check = [&] {
                mtranspose_forget(problem);
                transpose();
                const long wrong = mtranspose_wrong(problem);
                s.verify(wrong < 0, "element " + std::to_string(wrong));
            };
            check();
            s.sample("mtranspose", order, transpose);
            check();
        }
    }
}

}  // namespace artel::bench
