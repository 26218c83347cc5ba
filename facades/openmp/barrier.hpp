// The barrier of a team: arrivals are counted per group of members that share a home worker, then among groups, so that members that
// live together do not fight for one cache line; those who wait are suspended in their group's list when their worker has other things to do.
// Details and the argument in barrier.cpp.
#pragma once

namespace artel::openmp {
// filled in by the team's author
struct team_barrier {};
}  // namespace artel::openmp
