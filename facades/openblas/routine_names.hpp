// See routine_names.cpp.
#pragma once

#include <string_view>

namespace artel::openblas {

extern const std::string_view routine_names;

}  // namespace artel::openblas
