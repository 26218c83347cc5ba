// Reductions of tasks by the __kmpc_ interface: the compiler gives functions that initialise,
// combine and destroy copies; members get theirs when they first ask, and the end of the taskgroup
// combines those that there are.
#pragma once

#include "kmp.hpp"

namespace artel::openmp {

struct taskgroup;

// Of one taskgroup (taskgroup::shared).
struct shared_reductions;

}  // namespace artel::openmp
