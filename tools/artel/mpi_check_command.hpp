// `artel mpi check`: the command line, and the output about the memory of each rank.
#pragma once

#include "artel/command.hpp"

namespace artel::tool {

void add_mpi_check(CLI::App& mpi, context& state);

}  // namespace artel::tool
