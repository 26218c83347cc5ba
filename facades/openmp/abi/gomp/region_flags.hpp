// The last argument of GOMP_parallel and its kin.
#pragma once

#include "settings/place_position.hpp"

namespace artel::openmp {

// The proc_bind clause in bits 0 to 2; 0: none. The other bits mean nothing, and may be anything:
// where a region consists of a loop with schedule(auto) whose variable is a long, gcc leaves out
// the argument before the flags, so that these are what was on its stack.
constexpr unsigned bind_clause(unsigned flags) noexcept
{
    const unsigned clause = flags & 7u;
    return clause <= static_cast<unsigned>(bind_spread) ? clause : 0;
}

}  // namespace artel::openmp
