// What stands outside of all parallel regions: an OS thread of the program, a native light thread,
// or the initial thread of a league's team. It is member 0 of a team of one, and keeps the hot team
// for its regions between them. Belongs to whoever runs as that member.
#pragma once

#include "team.hpp"

namespace artel::openmp {

class hot_team;

struct root {
    // Of native light threads nothing may be kept, since nobody says when they end: their regions
    // get nested teams. Teams of a league have a team around them, the one that met the construct
    // (`alone.parent`); the others have none.
    enum class kind { thread, native, league };

    explicit root(kind k);

    team alone;
    member initial;
    hot_team* hot = nullptr;
    root* next = nullptr;  // in the list of those that wait for use (league.cpp)
    const kind type;
    // the present region made this external thread count as busy (sched/guest_scope.hpp).
    bool outermost = false;
    bool in_league = false;  // other teams of a league run beside this one
    struct {
        sched::worker* at_first_team = nullptr;  // who carries the thread that met the construct
        // What spread_in_league has gone by.
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
