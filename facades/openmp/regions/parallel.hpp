// Starting and ending parallel regions.
#pragma once

#include "team/team.hpp"

namespace artel::openmp {

// Prepared by the caller for a combined construct: runs on the new team before any member starts.
using team_setup = void (*)(team&, void* argument);

// Runs function(data) on every member of a new team of `threads` members (0: nthreads-var), of
// which the caller is member 0. Returns when all have finished it and the tasks that they made. The
// team has exactly that many members, unless nesting is off at this level or thread-limit-var is
// smaller. `flags`: the policy of a proc_bind clause, or 0; shared_fp_control
// (team::shares_fp_control); from sizes_shift on, the number of a list of sizes (team_sizes.hpp),
// or 0.
inline constexpr unsigned shared_fp_control = 8;
inline constexpr unsigned sizes_shift = 16;
void parallel(region_function function, void* data, unsigned threads, team_setup setup = nullptr,
              void* setup_argument = nullptr, unsigned flags = 0);

// parallel() in two halves, for GOMP_parallel_start/_end: between them the caller runs member 0's
// part.
void parallel_begin(region_function function, void* data, unsigned threads,
                    team_setup setup = nullptr, void* setup_argument = nullptr, unsigned flags = 0);
void parallel_end();

// omp_pause_resource: ends the threads of the caller's hot team and the idle personas, and with
// them their threadprivate variables; the next region makes new ones. False, with nothing done,
// inside of regions. May switch, and blocks the OS thread while the program's destructors run.
bool end_threads() noexcept;

// For hot and nested teams: fills in their common fields for a region met by `master`; start_member
// sets up the members' implicit tasks.
void describe_team(team& t, member& master, unsigned size);

// For hot and nested teams, before member `m` of `t` runs its part: implicit task and worksharing
// position.
void start_member(team& t, member& m, const icv_set& icvs);

// Prints the member's line for OMP_DISPLAY_AFFINITY (abi/omp/affinity.cpp). Called by the member
// itself, which is about to start its part in `m.in`.
void display_affinity(const member& m) noexcept;

}  // namespace artel::openmp
