// Where a library keeps the number of threads that its calls use.
#pragma once

#include "foreign/loaded_object.hpp"
#include "image.hpp"
#include "library.hpp"

#include <atomic>

namespace artel::openblas {

// Whether the object may be an OpenBLAS that is not built for OpenMP, by a few of the names that it
// exports: for many objects, so fast.
bool may_have_number(const foreign::loaded_object& object) noexcept;

// Its blas_cpu_number. Newer wheels do not export the name: then the variable from which
// openblas_get_num_threads takes its result. Nullptr: there is none.
std::atomic<int>* find_number(const image& object, const library::names& names) noexcept;

}  // namespace artel::openblas
