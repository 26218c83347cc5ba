// `artel mpi model`: the command line, and the output: times that were predicted and measured.
#pragma once

#include "artel/command.hpp"

namespace artel::tool {

void add_mpi_model(CLI::App& mpi, context& state);

}  // namespace artel::tool
