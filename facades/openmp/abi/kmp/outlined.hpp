// Whose code a region runs.
#pragma once

#include "team/team.hpp"

namespace artel::openmp::kmp {

// The function that the compiler made of the region's body, where parallel() is given `function`
// and `data`: that itself, or what is called by it.
const void* code_of_region(region_function function, const void* data) noexcept;

}  // namespace artel::openmp::kmp
