// "#pragma cp" and profiles: their demands become clauses of the directive that follows, before
// Clang reads the text. So names in their expressions are captured like those of any clause.
#pragma once

#include "profile.hpp"

#include <string>

namespace cpt {

// Whether the text has a "#pragma cp".
bool has_hints(const std::string& text);

// Turns hints into clauses; line numbers do not change. Returns false after it has reported an
// error on the standard error stream.
bool apply_hints(std::string& text, const std::string& file, const bounds_of_places& bounds);

}  // namespace cpt
