// Parallel regions from the outside: how they start and end, and how large they are.
#pragma once

#include "team/team.hpp"

namespace artel::openmp {

// Prepared by the caller for a combined construct: runs on the new team before any member starts.
using team_setup = void (*)(team&, void* argument);

// Runs function(data) on every member of a new team of `threads` members (0: nthreads-var), the
// caller being member 0, and returns when all are done with it and with the tasks they made.
// Exactly that many members, unless nesting is off at this level or thread-limit-var is smaller.
// `flags` are GOMP_parallel's: the policy of a proc_bind clause, or 0; from sizes_shift on, the
// number of a list of sizes (team_sizes.hpp), or 0.
inline constexpr unsigned sizes_shift = 16;
void parallel(region_function function, void* data, unsigned threads, team_setup setup = nullptr,
              void* setup_argument = nullptr, unsigned flags = 0);

// The same in two halves for GOMP_parallel_start/_end: the caller runs member 0's part between
// them.
void parallel_begin(region_function function, void* data, unsigned threads,
                    team_setup setup = nullptr, void* setup_argument = nullptr, unsigned flags = 0);
void parallel_end();

// omp_pause_resource: ends the threads behind the caller's team and those that wait for use, and
// with them their threadprivate variables; the next region makes new ones. False, with nothing
// done, inside of regions. May switch, and blocks the OS thread while the program's destructors
// run.
bool end_threads() noexcept;

// --- for hot and nested teams
// ----------------------------------------------------------------------

// Fills in what hot and nested teams have in common for a region met by `master`; members' implicit
// tasks are set up by start_member.
void describe_team(team& t, member& master, unsigned size);

// Before member `m` of `t` runs its part: implicit task and worksharing position.
void start_member(team& t, member& m, const icv_set& icvs);

// One line about the member, as OMP_DISPLAY_AFFINITY asks for (abi/omp/affinity.cpp). By the member
// itself, which is about to take part in `m.in`.
void display_affinity(const member& m) noexcept;

}  // namespace artel::openmp
