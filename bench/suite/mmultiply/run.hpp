// MMultiply: a loop over rows, in each iteration a loop over columns.
#pragma once

#include <memory>

#include "../session.hpp"
#include "mmultiply.h"

namespace artel::bench {

template <class Competitor>
void run_mmultiply(const session& s, Competitor& competitor)
{
    if constexpr (requires { competitor.inner(1, [](long) {}); }) {
        for (const long order : s.sizes({256}, {64, 128, 256, 512}, {64, 128, 256, 512, 1024})) {
            const std::unique_ptr<mmultiply, void (*)(mmultiply*)> owner(mmultiply_make(order),
                                                                         mmultiply_free);
            mmultiply* const problem = owner.get();
            const auto multiply = [&] {
                competitor.each(order, [&competitor, problem, order](long row) {
                    competitor.inner(order, [problem, row](long column) {
                        mmultiply_cell(problem, row, column);
                    });
                });
            };
            const auto check = [&] {
                mmultiply_forget(problem);
                multiply();
                const long wrong = mmultiply_wrong(problem);
                s.verify(wrong < 0, "cell " + std::to_string(wrong));
            };
            check();
            s.sample("mmultiply", order, multiply);
            check();
        }
    }
}

}  // namespace artel::bench
