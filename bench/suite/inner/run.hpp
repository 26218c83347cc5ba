// Inner: a loop over as many places as there are workers, in each of which short loops follow each
// other. Prints the time per short loop; for the reference (serial) that is the time of the steps
// alone. Sizes are steps of a short loop.
#pragma once

#include <algorithm>
#include <memory>

#include "../session.hpp"
#include "inner.h"

namespace artel::bench {

template <class Competitor>
void run_inner(const session& s, Competitor& competitor)
{
    if constexpr (requires { competitor.inner(1, [](long) {}); }) {
        const long places = s.threads();
        const std::unique_ptr<inner, void (*)(inner*)> owner(inner_make(places), inner_free);
        inner* const problem = owner.get();
        for (const long steps :
             s.sizes({8, 512}, {1, 8, 64, 512, 4096},
                     {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096})) {
            const long turns = std::clamp(100000 / steps, 100L, 1000L);
            const auto all = [&] {
                competitor.each(places, [&competitor, problem, steps, turns](long place) {
                    for (long turn = 0; turn < turns; ++turn)
                        competitor.inner(
                            steps, [problem, place](long i) { inner_step(problem, place, i); });
                });
            };
            const auto check = [&] {
                inner_forget(problem);
                all();
                s.verify(inner_right(problem, steps, turns) != 0,
                         "steps of loops of " + std::to_string(steps));
            };
            check();
            s.sample("inner", steps, all, static_cast<double>(turns), "ns");
            check();
        }
    }
}

}  // namespace artel::bench
