// OMP_SCHEDULE, read into the initial ICVs. Its grammar is parse_schedule's (env_text.hpp), which
// takes all that libgomp takes; for programs of clang this file changes sizes of pieces and warns
// as libomp does.
#pragma once

#include "icv.hpp"

namespace artel::openmp {

// Sets run-sched-var of the initial ICVs.
void read_schedule(icv_set& icvs);

}  // namespace artel::openmp
