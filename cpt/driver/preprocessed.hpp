// What the driver needs to know of preprocessed text, and changes in it.
#pragma once

#include <string>

namespace cpt {

// The place of the first directive of OpenMP or cpt, "file.c:12"; empty if there is none.
std::string first_directive(const std::string& text, bool in_system_headers);

// The text without comments; line numbers do not change. A comment that allows the case before it
// to fall through becomes the attribute for that.
std::string without_comments(const std::string& text);

}  // namespace cpt
