// Leagues on the host: the teams of a teams construct. Each team's initial thread is a light thread
// with its own thread-local data, so teams run at the same time; the first team's is the thread
// that met the construct, as the standard demands. The crew's width, but at least two, bounds the
// number of these threads; a thread that has finished its team takes the next one.
#pragma once

#include "ompt/interface/attached.hpp"
#include "settings/icv.hpp"
#include "team/team.hpp"

namespace artel::foreign {
class retirement;
}

namespace artel::openmp {

struct root;

struct league_of {
    unsigned teams = 1;
    icv_set icvs;  // of every team's initial task, except for the team number
    // how teams are spread over the places; 0: they stay where the construct was met.
    int bind_policy = 0;
    region_function function = nullptr;
    void* data = nullptr;
};

// Runs function(data) as the initial thread of each team. Returns when all have finished.
// `told_to`: with a tool attached, the caller that met the construct. May switch.
void run_league(member& m, const league_of& what, const ompt::caller* told_to = nullptr);

// Whether `m`, in a team of one, is the initial thread of one of several teams that may run at the
// same time.
bool beside_other_teams(const member& m) noexcept;

// Gives homes to members 1 .. size-1 of a region inside one team of a league, so that teams do not
// share workers. Called on the region's master.
void spread_in_league(root& r, member* members, unsigned size) noexcept;

// Retires the threads of teams of former leagues. The caller, which is in no region, calls
// end.finish().
void end_spare_contexts(foreign::retirement& end) noexcept;

// In the child of a fork: forgets the cached roots, which belong to the parent.
void reset_leagues_after_fork() noexcept;

}  // namespace artel::openmp
