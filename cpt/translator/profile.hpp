// Profiles of `cpt run --profile`: how many threads a region is worth.
#pragma once

#include <map>
#include <string>

namespace cpt {

// Bounds on light threads by place, "file.c:12".
using bounds_of_places = std::map<std::string, unsigned>;

// Reads a file that `cpt run --profile` has written. Returns false, with the reason in `error`, if
// it is no such file or cannot be read.
bool read_profile(const std::string& file, bounds_of_places& bounds, std::string& error);

}  // namespace cpt
