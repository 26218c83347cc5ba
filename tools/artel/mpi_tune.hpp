// Measures among processes of this tool which notification tree is fastest for each size of
// message. `artel mpi tune` keeps the result in a file, or compares it with the trees that are
// chosen.
#pragma once

#include "coll/tree_choice.hpp"

#include <functional>
#include <string>
#include <vector>

namespace artel::tool {

// One size of message.
struct tree_times {
    std::uint64_t bytes = 0;
    unsigned rounds = 0;  // each of them took every tree once
    // Seconds from the common start until the last rank has everything: the mean of the middle half
    // for each of tree_forms, and for what is in force now.
    std::vector<double> middle;
    double in_force = 0;
    unsigned chosen = 0;  // the tree in force

    unsigned best() const;
    // The tree to choose: the fastest, or flat if that is not slower by more than the noise.
    unsigned wanted() const;
};

struct tree_report {
    unsigned ranks = 0, group = 0;  // group: ranks of the largest cache group
    bool crowded = false;           // more ranks than CPUs
    std::string in_words;           // the table in force
    std::vector<tree_times> sizes;
};

// Takes about so many seconds. `tell` is called before each size. Throws command_error when the
// ranks cannot be set up or one of them ends.
tree_report measure_trees(unsigned ranks, double seconds,
                          const std::function<void(std::uint64_t bytes)>& tell);

}  // namespace artel::tool
