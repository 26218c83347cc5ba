// Writing files that other programs may be reading.
#pragma once

#include <string>

namespace artel::tool {

// Writes the file, and makes its folder, whole or not at all: programs that start meanwhile read
// the old one. Throws command_error.
void write_whole_file(const std::string& path, const std::string& text);

}  // namespace artel::tool
