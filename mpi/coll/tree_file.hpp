// The file that `artel mpi tune` keeps of each machine: which tree was best for groups of how many
// ranks and messages of what size. Plain text, a row in a line:
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

// Processor, CPUs and NUMA nodes in words: what a file must be of to be used.
std::string this_machine_in_words();
// $XDG_CACHE_HOME/artel/mpi-trees-<machine>.txt, or the same in ~/.cache; "" when neither variable
// is an absolute path, and in programs that run with more rights than who started them.
std::string tree_file_path(std::string_view machine);

std::string text_of(std::span<const tree_row> rows, std::string_view machine);
tree_file parse_tree_file(std::string_view text, std::string_view machine);

// This machine's, read when first asked for and kept for the life of the process. Any thread.
const tree_file& this_machines_trees();

}  // namespace artel::coll
