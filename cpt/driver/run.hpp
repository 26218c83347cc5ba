// cpt run: starts a program with settings, on the runtime that is asked for.
#pragma once

namespace cpt {

// The exit status where it cannot be started; otherwise the program takes this process's place.
int run_program(int count, char** arguments, const char* usage);

}  // namespace cpt
