// Runs other programs.
#pragma once

#include <string>
#include <vector>

namespace cpt {

// Runs the command and waits for it. Returns its exit status; 127, with a message, when it cannot
// be started; 128 + n when signal n ended it.
int execute(const std::vector<std::string>& command);

// After the call SIGHUP, SIGINT and SIGTERM end the running command, if there is one, and no
// further one is started, but this process goes on, so that it can remove its files. If such a
// signal came, end_by_signal then ends this process by it.
void outlive_signals();
void end_by_signal();

}  // namespace cpt
