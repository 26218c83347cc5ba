// Affinity formats: texts with %-fields for facts about a thread (OpenMP 5.1, 6.14).
#pragma once

#include "team/team.hpp"

#include <span>
#include <string>
#include <string_view>

namespace artel::openmp {

// The format with the values of its fields for this member. Throws std::bad_alloc.
std::string expand_affinity_format(std::string_view format, const member& m);

// CPUs as a list, in the notation of the runtime for which the program was made.
std::string affinity_list(std::span<const unsigned> cpus);

}  // namespace artel::openmp
