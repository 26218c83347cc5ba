// Finds the program that `artel run` is to execute, and tells beforehand why preloading a library
// into it cannot work.
#pragma once

#include <string>
#include <vector>

namespace artel::tool {

// Path of `name` as execvp(3) would find it by PATH. Throws command_error with not_found or
// not_executable.
std::string find_program(const std::string& name);

struct obstacle {
    std::string reason;  // "it is statically linked"; empty if there is none
    bool fatal = false;  // with the library in LD_PRELOAD the program would not start
};

// Why a library preloaded into `path` would have no effect, or worse, as far as can be told.
// Follows "#!" lines to the interpreter. Throws command_error if the file cannot be executed at
// all.
obstacle why_not_preloadable(const std::string& path);

}  // namespace artel::tool
