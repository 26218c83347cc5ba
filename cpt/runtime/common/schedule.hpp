// Schedules as text: OMP_SCHEDULE, and its line in OMP_DISPLAY_ENV's output.
#pragma once

#include "icv.hpp"

#include <string>

namespace cp {

// Parses "[monotonic:|nonmonotonic:]kind[,chunk]" in lower case; false, with nothing set, for any
// other text.
bool set_schedule(const std::string& text, icvs& to);

// The same in capital letters.
std::string name_of_schedule(const icvs& of);

}  // namespace cp
