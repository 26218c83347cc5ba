// Runs other programs.
#pragma once

#include <string>
#include <vector>

namespace cpt {

// Runs the command and waits for it: its exit status; 127 with a message when it cannot be started,
// 128 + n when signal n ended it.
int execute(const std::vector<std::string>& command);

// From here on SIGHUP, SIGINT and SIGTERM end the running command, if there is one, and keep others
// from being started, so that what was made can be taken away; end_by_signal then ends this process
// as such a signal, if one came, would have.
void outlive_signals();
void end_by_signal();

}  // namespace cpt
