// Directives that ask for nothing: `nothing`, and what a program promises about itself.
#pragma once

#include <string>

namespace cpt {

// Makes blanks of them, as Clang 19 does not read all of them, and not everywhere. False: there
// were none.
bool leave_out_promises(std::string& text);

}  // namespace cpt
