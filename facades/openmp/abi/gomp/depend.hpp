// The depend clause as gcc writes it.
#pragma once

#include "tasking/task_depend.hpp"

namespace artel::openmp {

// Parses GOMP's array. Two layouts: the older one has the number of dependences
// in its first word and that of writers in the second; a zero in the first word announces counts of
// all, writers, mutexinoutset and in, then from the fifth word on addresses in this order, then
// depend objects.
depend_list dependences_of(void** clause) noexcept;

}  // namespace artel::openmp
