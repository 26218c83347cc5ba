// "#pragma cp" and profiles: what they say about a region becomes clauses of the directive behind,
// before Clang reads the text; so names in their expressions are captured as those of any clause.
#pragma once

#include "profile.hpp"

#include <string>

namespace cpt {

// Whether the text has a "#pragma cp".
bool has_hints(const std::string& text);

// The text with hints as clauses; line for line the same as before. False: something is wrong; it
// has been reported to the standard error stream.
bool apply_hints(std::string& text, const std::string& file, const bounds_of_places& bounds);

}  // namespace cpt
