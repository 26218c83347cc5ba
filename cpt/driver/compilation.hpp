// `cpt c`: preprocesses with the user's compiler, lets cpt-translate turn OpenMP into calls of
// cp.h, and gives the result to the same compiler; what has no OpenMP goes through untouched.
#pragma once

#include "command_line.hpp"

namespace cpt {

// Its exit status. `show`: writes the translations on standard output, and compiles nothing. May
// throw std::exception.
int compile(command_line line, bool show);

}  // namespace cpt
