// Task reductions of the __kmpc_ interface: the compiler passes functions that initialise, combine
// and destroy copies; a member gets its copy when it first asks, and the end of the taskgroup
// combines the copies that exist.
#pragma once

#include "kmp.hpp"

namespace artel::openmp {

struct taskgroup;

// Of one taskgroup (taskgroup::shared).
struct shared_reductions;

}  // namespace artel::openmp
