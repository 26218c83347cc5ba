// Schedules as text: OMP_SCHEDULE, and what OMP_DISPLAY_ENV says of it.
#pragma once

#include "icv.hpp"

#include <string>

namespace cp {

// "[monotonic:|nonmonotonic:]kind[,chunk]" in small letters; false, and nothing is set, if it is
// something else.
bool set_schedule(const std::string& text, icvs& to);

// The same in capital letters.
std::string name_of_schedule(const icvs& of);

}  // namespace cp
