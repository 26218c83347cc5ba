// Estimates how long the remaining cells will take from those that are done. Cells differ by
// factors of a thousand, so a mean over all of them would mislead: each is estimated by similar
// ones.
#pragma once

#include "lab/cell.hpp"

#include <map>
#include <optional>
#include <vector>

namespace artel::lab {

class estimate {
public:
    // Notes how long a job for the cell took in all, whatever its result.
    void add(const cell& c, double seconds);

    // Estimates from other repeats of the same cell; else from the nearest numbers of tasks of the
    // same workload, variant and allocator; else from all cells of the workload with the same size.
    // Empty if no cell of the workload has been measured.
    std::optional<double> of(const cell& c) const;

    struct rest {
        double seconds = 0;       // of those that can be estimated
        std::size_t unknown = 0;  // how many cannot
    };
    rest of(const std::vector<cell>& cells) const;

private:
    struct sum {
        double seconds = 0;
        unsigned count = 0;
        double mean() const noexcept { return seconds / count; }
    };
    std::map<std::string, std::map<unsigned, sum>> by_kind_;  // then by number of tasks
    std::map<std::string, sum> by_workload_;
};

}  // namespace artel::lab
