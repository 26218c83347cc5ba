// The programs and libraries of a process, or of a program that has not been started.
#pragma once

#include "artel/elf_needs.hpp"

#include <map>
#include <string>
#include <vector>

namespace artel::tool {

struct image {
    std::string path;
    elf_needs says;
};

// The images of a process, by its number. Throws command_error when there is none.
std::vector<image> images_of_process(const std::string& number);
// The names of its threads, with how many have each.
std::map<std::string, int> threads_of_process(const std::string& number);

// What the program loads when it starts under `artel run`: the dynamic linker lists it without
// starting the program. Throws command_error for files that it cannot load.
std::vector<image> images_of_program(const std::string& path);

}  // namespace artel::tool
