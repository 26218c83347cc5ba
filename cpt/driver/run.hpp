// cpt run: starts a program with settings, on the runtime that is asked for.
#pragma once

namespace cpt {

// Replaces this process by the program; returns the exit status if it cannot be started.
int run_program(int count, char** arguments, const char* usage);

}  // namespace cpt
