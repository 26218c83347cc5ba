// Leagues on the host: the teams of a teams construct. Each team's initial thread is a light thread
// with thread-local data of its own, so that teams run at the same time; the first one is the
// thread that met the construct, as the standard wants it. There are as many threads as the crew is
// wide, and at least two, for as many teams; who has done with its team goes on with one of those
// that are left.
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
    icv_set icvs;  // of every team's initial task, but for the number of the team
    // how teams are spread over the places; 0: they stay where the construct was met.
    int bind_policy = 0;
    region_function function = nullptr;
    void* data = nullptr;
};

// Runs function(data) as the initial thread of each team. Returns when all of them are done.
// `told_to`: with a tool attached, who met the construct. May switch.
void run_league(member& m, const league_of& what, const ompt::caller* told_to = nullptr);

// Whether `m`, which runs as a team of one, is one team of several that may be at work at the same
// time.
bool beside_other_teams(const member& m) noexcept;

// Gives members 1 .. size-1 of a region inside a team that is not the first one homes, so that
// teams do not meet on one worker. On the region's master.
void spread_in_league(root& r, member* members, unsigned size) noexcept;

// Sends the threads behind teams of former leagues into retirement. The caller, who is in no
// region, finishes that.
void end_spare_contexts(foreign::retirement& end) noexcept;

// In the child of a fork: what is kept for leagues belongs to the parent.
void reset_leagues_after_fork() noexcept;

}  // namespace artel::openmp
