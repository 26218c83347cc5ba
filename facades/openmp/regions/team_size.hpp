// The number of members of a region, from its clause, the settings and thread-limit-var.
#pragma once

#include "team/team.hpp"

#include <algorithm>

namespace artel::openmp {

// The size of a region that `m` would start now (2.6.1, Algorithm 2.1).
inline unsigned team_size_for(const member& m, unsigned requested) noexcept
{
    const icv_set& icvs = m.current->icvs;
    if (m.in->active_level >= icvs.max_active_levels) {
        return 1;
    }
    const unsigned wanted = requested != 0 ? requested : icvs.nthreads;
    return std::clamp(wanted, 1u, icvs.largest_team());
}

// The team of the initial thread around `t`, which counts the threads of all teams inside it: that
// of an OS thread, or of a target region or a league.
inline team& contention_group(team& t) noexcept
{
    team* at = &t;
    while (at->of == nullptr && at->level != 0) {
        at = at->parent;
    }
    return *at;
}

// Reserves up to `size` - 1 of the threads that `limit` leaves for the contention group of `m`, and
// returns how many; the caller gives them back when the region ends. `requested`: the clause's
// number, or 0.
unsigned count_threads(member& m, unsigned requested, unsigned size, unsigned limit) noexcept;

}  // namespace artel::openmp
