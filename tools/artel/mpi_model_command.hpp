// `artel mpi model`: the command line, and what is told of what was predicted and measured.
#pragma once

#include "artel/command.hpp"

namespace artel::tool {

void add_mpi_model(CLI::App& mpi, context& state);

}  // namespace artel::tool
