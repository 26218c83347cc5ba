// Makes a file without OpenMP from a source file: preprocesses it, and translates it if it has
// directives.
#pragma once

#include "command_line.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace cpt {

// The places of the translator and of cpt's own headers; empty if they do not exist.
struct folders {
    std::filesystem::path translator, include;
};

folders find_folders();

// gcc's rule for the names of what it writes beside a program.
std::string product_prefix(const command_line& line);

// Makes `result` from `input`, argument number `index` of the line. The names of intermediate files
// begin with `base`. Returns an exit status, after errors were reported.
int translate(const command_line& line, const folders& where, std::size_t index,
              const std::filesystem::path& input, const std::filesystem::path& base,
              std::filesystem::path& result);

}  // namespace cpt
