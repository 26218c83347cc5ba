// SPMV: one loop over the rows. Sizes are widths, 2^10 to 2^15 as in the thesis; or numbers of
// rows, from 1000 on.
#pragma once

#include <memory>

#include "../session.hpp"
#include "spmv.h"

namespace artel::bench {

// `turns`: loops per sample.
template <class Competitor>
void sample_spmv(const session& s, Competitor& competitor, spmv* problem, const char* name,
                 long size, long turns = 1)
{
    const auto multiply = [&] {
        competitor.each(spmv_rows(problem), [problem](long row) { spmv_row(problem, row); });
    };
    const auto check = [&] {
        spmv_forget(problem);
        multiply();
        const long wrong = spmv_wrong(problem);
        s.verify(wrong < 0, "row " + std::to_string(wrong));
    };
    check();
    const auto all = [&multiply, turns] {
        for (long turn = 0; turn < turns; ++turn)
            multiply();
    };
    s.sample(name, size, all, static_cast<double>(turns));
    check();
}

template <class Competitor>
void run_spmv(const session& s, Competitor& competitor, spmv_shape shape, const char* name)
{
    for (const long width : s.sizes({1024, 32768}, {1024, 2048, 4096, 8192, 16384, 32768},
                                    {1024, 2048, 4096, 8192, 16384, 32768})) {
        const std::unique_ptr<spmv, void (*)(spmv*)> problem(spmv_make(shape, width, s.threads()),
                                                             spmv_free);
        sample_spmv(s, competitor, problem.get(), name, width);
    }
}

// Rows of 64 entries on average: a loop takes one thread about 50 us to 1 ms.
template <class Competitor>
void run_rows(const session& s, Competitor& competitor, spmv_shape shape, const char* name)
{
    constexpr long width = 64 * 128;
    for (const long rows :
         s.sizes({1000, 16000}, {1000, 2000, 4000, 8000, 16000}, {1000, 2000, 4000, 8000, 16000})) {
        const std::unique_ptr<spmv, void (*)(spmv*)> problem(spmv_make_rows(shape, width, rows),
                                                             spmv_free);
        sample_spmv(s, competitor, problem.get(), name, rows);
    }
}

// A real matrix, from the file of --file. Its size is the number of entries.
template <class Competitor>
void run_matrix(const session& s, Competitor& competitor)
{
    const std::unique_ptr<spmv, void (*)(spmv*)> problem(spmv_read(s.options().file), spmv_free);
    if (!problem)
        std::exit(2);
    sample_spmv(s, competitor, problem.get(), "matrix", spmv_entries(problem.get()));
}

}  // namespace artel::bench
