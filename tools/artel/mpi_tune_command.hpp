// `artel mpi tune`: the command line, the file that is kept, and the output.
#pragma once

#include "artel/command.hpp"

namespace artel::tool {

void add_mpi_tune(CLI::App& mpi, context& state);

}  // namespace artel::tool
