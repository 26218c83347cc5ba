// Runs other programs.
#pragma once

#include <string>
#include <vector>

namespace cpt {

// Runs the command and waits for it: its exit status; 127 with a message when it cannot be started,
// 128 + n when signal n ended it.
int execute(const std::vector<std::string>& command);

}  // namespace cpt
