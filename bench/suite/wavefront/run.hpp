// Wavefront: 2 * size - 1 loops, each over the blocks of one anti-diagonal: from 1 iteration up to
// `size`, and down again.
#pragma once

#include <algorithm>
#include <memory>

#include "../session.hpp"
#include "wavefront.h"

namespace artel::bench {

template <class Competitor>
void run_wavefront(const session& s, Competitor& competitor)
{
    for (const long size : s.sizes({16}, {4, 8, 16, 32}, {4, 8, 16, 32, 64})) {
        const std::unique_ptr<wavefront, void (*)(wavefront*)> owner(wavefront_make(size),
                                                                     wavefront_free);
        wavefront* const problem = owner.get();
        const auto once = [&] {
            for (long diagonal = 0; diagonal < 2 * size - 1; ++diagonal) {
                const long top = std::max(0L, diagonal - size + 1);
                const long bottom = std::min(diagonal, size - 1);
                competitor.each(bottom - top + 1, [problem, top, diagonal](long i) {
                    wavefront_block(problem, top + i, diagonal - top - i);
                });
            }
        };
        const auto check = [&] {
            wavefront_forget(problem);
            once();
            const long wrong = wavefront_wrong(problem);
            s.verify(wrong < 0, "element " + std::to_string(wrong));
        };
        check();
        s.sample("wavefront", size, once);
        check();
    }
}

}  // namespace artel::bench
