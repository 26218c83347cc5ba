// Files that programs read while they are written anew.
#pragma once

#include <string>

namespace artel::tool {

// Makes the file, and its folder, with that text, whole or not at all: programs that start
// meanwhile read the old one. Throws command_error.
void write_whole_file(const std::string& path, const std::string& text);

}  // namespace artel::tool
