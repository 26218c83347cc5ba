// The state of a thread outside of all parallel regions: an OS thread of the program, a native
// light thread, or the initial thread of a league's team. It is member 0 of a team of one, and
// keeps the hot team between regions. Only the code that runs as that member touches it.
#pragma once

#include "team.hpp"

namespace artel::openmp {

class hot_team;

struct root {
    // Nothing may be kept for native light threads, which are many: their regions get nested teams.
    // Teams of a league are nested in the team that met the construct
    // (`alone.parent`); the others have no parent.
    enum class kind { thread, native, league };

    explicit root(kind k);

    team alone;
    member initial;
    hot_team* hot = nullptr;
    root* next = nullptr;  // in the list of free roots (league.cpp)
    const kind type;
    // the current region made this external thread count as busy (sched/guest_scope.hpp).
    bool outermost = false;
    bool in_league = false;  // other teams of a league run beside this one
    // The tool has been told of it; and with it of its thread, whose end is to be told, too.
    bool told = false;
    bool begun_thread = false;
    struct {
        // the worker that carries the thread that met the construct
        sched::worker* at_first_team = nullptr;
        // The inputs of the last spread_in_league.
        sched::worker* first = nullptr;
        sched::worker* own = nullptr;
        const member* members = nullptr;
        unsigned size = 0;
    } league;
};

// The root whose initial member `m` is, or nullptr: then `m` is in a region.
inline root* root_of(const member& m) noexcept
{
    return m.in->of;
}

}  // namespace artel::openmp
