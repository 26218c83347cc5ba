// The table of options as documentation.
#pragma once

#include <string>

namespace artel::tool {

// The options as a section of docs/OPTIONS.md, and as the ENVIRONMENT section of artel(7) in man(7)
// markup.
std::string options_as_markdown();
std::string options_as_man();

}  // namespace artel::tool
