// The file of `artel mpi tune` for each machine: the best tree by number of ranks in a group and
// size of messages. Plain text, one row per line:
//
//   artel mpi trees 1
//   machine Intel(R) Xeon(R) Gold 6230, 40 CPUs, 2 NUMA nodes
//   group 8 roomy bytes 65536 tree kary 4
#pragma once

#include "coll/tree_choice.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace artel::coll {

struct tree_file {
    std::vector<tree_row> rows;
    std::string problem;  // why an existing file is not used; "" when it is, or there is none
};

// Describes processor, CPUs and NUMA nodes: a file is used only if it has the same description.
std::string this_machine_in_words();
// $XDG_CACHE_HOME/artel/mpi-trees-<machine>.txt, or the same in ~/.cache; "" if neither variable is
// an absolute path, and in programs that run with more rights than their user has.
std::string tree_file_path(std::string_view machine);

std::string text_of(std::span<const tree_row> rows, std::string_view machine);
tree_file parse_tree_file(std::string_view text, std::string_view machine);

// This machine's file, read when first needed and kept for the life of the process. Any thread.
const tree_file& this_machines_trees();

}  // namespace artel::coll
