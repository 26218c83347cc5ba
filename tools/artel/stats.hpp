// Runs a program in a child process and prints the resources that it used.
#pragma once

#include <functional>

namespace artel::tool {

// Runs `become_program` (which does not return: it executes, or throws command_error) in a child,
// waits, and prints a table on stderr: wall and CPU time, memory, page faults, context switches.
// Signals sent to us are passed on. Returns the exit code of the child, 128+n if signal n killed
// it.
int run_with_stats(const std::function<void()>& become_program);

}  // namespace artel::tool
