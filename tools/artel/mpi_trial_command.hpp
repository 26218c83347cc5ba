// `artel mpi trial`: the command line, and the output of the trials.
#pragma once

#include "artel/command.hpp"

namespace artel::tool {

void add_mpi_trial(CLI::App& mpi, context& state);

}  // namespace artel::tool
