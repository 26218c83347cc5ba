// What a region does where members have places or are to print them: in programs that bind their
// threads or have OMP_DISPLAY_AFFINITY (globals().minds_places). Others do without the call.
#pragma once

#include "team/team.hpp"

namespace artel::openmp {

// A bit of team::counted: after the region, the initial thread that met it is unbound from its
// place.
inline constexpr unsigned frees_initial = 1u << 31;

// Gives the members of a team that is about to start their places, and decides whether they print
// them. Called on the master's worker.
[[gnu::cold]] void place_members(team& t, member& master, int policy) noexcept;

}  // namespace artel::openmp
