// Arguments of commands as texts hold them.
#pragma once

#include <string>
#include <vector>

namespace cpt {

// With the arguments that files hold in the place of those that name such a file, @FILE.
std::vector<std::string> expanded(const std::vector<std::string>& arguments, unsigned depth = 0);

// A command as a shell reads it, where it is no program's name as it stands.
std::vector<std::string> command_of(const std::string& text);

}  // namespace cpt
