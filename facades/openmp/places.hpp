// Places (OpenMP 5.1, 2.6.2 and 6.5): the value of OMP_PLACES as lists of CPUs. Artel does not bind members to places - they are light threads,
// and workers stay where the crew put them - but programs may ask for places and get consistent answers.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace artel::openmp {

using place_list = std::vector<std::vector<unsigned>>;  // OS indices of CPUs, sorted, place by place; none is empty

// The places that `text` describes on this machine, restricted to the CPUs that the process may use; nothing if it is malformed or leaves none.
std::optional<place_list> parse_places(std::string_view text);

// One place per hardware thread; what binding without OMP_PLACES means.
place_list places_of_threads();

}  // namespace artel::openmp
