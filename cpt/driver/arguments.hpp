// Arguments of commands that are given as text.
#pragma once

#include <string>
#include <vector>

namespace cpt {

// The arguments, with each @FILE replaced by the arguments in that file.
std::vector<std::string> expanded(const std::vector<std::string>& arguments, unsigned depth = 0);

// Splits a command into words as a shell does, unless the whole text is the name of a program.
std::vector<std::string> command_of(const std::string& text);

}  // namespace cpt
