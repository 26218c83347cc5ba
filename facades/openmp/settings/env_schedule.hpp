// OMP_SCHEDULE.
#pragma once

#include "icv.hpp"

namespace artel::openmp {

// Sets run-sched-var of the initial ICVs.
void read_schedule(icv_set& icvs);

}  // namespace artel::openmp
