// Mandelbrot: one loop over the rows of a picture.
#pragma once

#include "../flat.hpp"
#include "mandelbrot.h"

namespace artel::bench {

struct mandelbrot_work {
    using type = mandelbrot;
    static type* make(long size) { return mandelbrot_make(size); }
    static void free(type* p) { mandelbrot_free(p); }
    static long items(type* p) { return mandelbrot_rows(p); }
    static void item(type* p, long i) { mandelbrot_row(p, i); }
    static void forget(type* p) { mandelbrot_forget(p); }
    static long wrong(type* p) { return mandelbrot_wrong(p); }
};

template <class Competitor>
void run_mandelbrot(const session& s, Competitor& competitor)
{
    for (const long size : s.sizes({128}, {32, 64, 128, 256}, {32, 64, 128, 256, 512, 1024}))
        run_flat<mandelbrot_work>(s, competitor, "mandelbrot", size);
}

}  // namespace artel::bench
