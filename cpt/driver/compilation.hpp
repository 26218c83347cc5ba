// `cpt c`: preprocesses with the user's compiler, lets cpt-translate turn OpenMP into calls of
// cp.h, and gives the result to the same compiler. Text without OpenMP is not changed.
#pragma once

#include "command_line.hpp"

namespace cpt {

// Returns the exit status. With `show` it writes the translations to standard output, and compiles
// nothing. May throw std::exception.
int compile(command_line line, bool show);

}  // namespace cpt
