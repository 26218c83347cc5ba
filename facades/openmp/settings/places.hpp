// Places (OpenMP 5.1, 2.6.2 and 6.5): the values of OMP_PLACES and GOMP_CPU_AFFINITY as lists of
// CPUs. What they are used for is in binding.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace artel::openmp {

// OS indices of CPUs, sorted, place by place; none is empty.
using place_list = std::vector<std::vector<unsigned>>;

// The places that `text` describes on this machine, restricted to the CPUs that the process may
// use; nothing if it is malformed or leaves none.
std::optional<place_list> parse_places(std::string_view text);

// GOMP_CPU_AFFINITY: CPU numbers and ranges first-last[:stride], separated by blanks or commas; one
// place per CPU.
std::optional<place_list> parse_cpu_affinity(std::string_view text);

// The list of explicit KMP_AFFINITY: numbers, ranges first-last[:stride], and sets of them in
// braces; one place for each. Unusable CPUs are left out with a warning.
place_list parse_proclist(std::string_view text);

// libgomp's limit.
inline constexpr std::uint64_t most_places = 65536;

// The end of the range of CPU numbers; the kernel's masks consist of words.
std::uint64_t cpu_numbers();

// One place per core: the default of libomp when binding is asked for without places.
place_list places_of_cores();

// One place per hardware thread: libgomp's default in that case.
place_list places_of_threads();

}  // namespace artel::openmp
