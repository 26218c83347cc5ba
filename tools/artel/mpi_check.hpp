// Sets the shared-memory collectives up among processes of this tool, without any MPI, and looks
// where the kernel put the pages.
#pragma once

#include "coll/settings.hpp"

#include <string>
#include <vector>

namespace artel::tool {

struct placement_report {
    std::string story;  // what the set-up says
    bool usable = false;
    bool works = false;   // a broadcast from every rank arrived everywhere
    bool direct = false;  // processes may copy from each other
    // Per rank: the NUMA node it ran on, pages of its area, how many are there, how many elsewhere.
    struct rank {
        int node;
        std::size_t pages, at_home, elsewhere;
        double setup, look;  // seconds that the set-up took, and that looking at the pages takes
    };
    std::vector<rank> ranks;
};

// Forks `ranks` processes, which set the collectives up with these settings and broadcast. They are
// spread over the NUMA nodes of the machine, or with `unbound` run where the system puts them.
// Takes some milliseconds.
placement_report check_placement(unsigned ranks, const coll::settings& settings,
                                 bool unbound = false);

}  // namespace artel::tool
