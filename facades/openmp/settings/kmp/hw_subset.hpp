// The CPUs that OpenMP uses: those that the process may use, or what KMP_HW_SUBSET leaves of them.
#pragma once

#include "topology/topology.hpp"

#include <string>
#include <vector>

namespace artel::openmp {

struct hw_subset {
    std::vector<topology::cpu> cpus;  // in the machine's order; never empty
    // KMP_HW_SUBSET in libomp's full form; empty: not given or ignored.
    std::string text;
};

// Read at the first call, which warns of a malformed setting. Any thread.
const hw_subset& hardware() noexcept;

}  // namespace artel::openmp
