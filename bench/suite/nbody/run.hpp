// N-body with a cutoff: one loop over cells. Sizes are numbers of particles.
#pragma once

#include "../flat.hpp"
#include "nbody.h"

namespace artel::bench {

struct nbody_work {
    using type = nbody;
    static type* make(long size) { return nbody_make(size); }
    static void free(type* p) { nbody_free(p); }
    static long items(type* p) { return nbody_cells(p); }
    static void item(type* p, long i) { nbody_cell(p, i); }
    static void forget(type* p) { nbody_forget(p); }
    static long wrong(type* p) { return nbody_wrong(p); }
};

template <class Competitor>
void run_nbody(const session& s, Competitor& competitor)
{
    for (const long size : s.sizes({2000}, {500, 2000, 8000}, {500, 2000, 8000, 32000}))
        run_flat<nbody_work>(s, competitor, "nbody", size);
}

}  // namespace artel::bench
