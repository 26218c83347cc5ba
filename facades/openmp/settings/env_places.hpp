// The variables about places: OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY.
#pragma once

#include "icv.hpp"

namespace artel::openmp {

// Sets proc_bind, places, and bind-var of the initial ICVs; kmp has been read.
void read_places(global_icvs& g);

}  // namespace artel::openmp
