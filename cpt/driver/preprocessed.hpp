// What the driver has to know of preprocessed text, and what it changes in it.
#pragma once

#include <string>

namespace cpt {

// Where the first directive of OpenMP, or of cpt, stands: "file.c:12". Empty: there is none.
std::string first_directive(const std::string& text, bool in_system_headers);

// Without comments; lines stay lines. A comment that says that a case may be reached from the one
// in front becomes the attribute that says so.
std::string without_comments(const std::string& text);

}  // namespace cpt
