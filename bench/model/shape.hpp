// The costs of the iterations of a simulated loop. Sums in O(1), positions in O(log n).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace artel::model {

struct range {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool empty() const { return first >= last; }
    std::int64_t size() const { return empty() ? 0 : last - first; }
};

class shape {
public:
    // `name`: balanced, triangle (falls linearly to 0) or hyperbolic (falls as 1/i), as the
    // thesis's three matrices. `mean` ns an iteration. Throws std::runtime_error for another name.
    shape(const std::string& name, std::int64_t iterations, double mean);

    const std::string& name() const { return name_; }
    std::int64_t iterations() const { return static_cast<std::int64_t>(sums_.size()) - 1; }
    double time(range r) const
    {
        return r.empty() ? 0
                         : sums_[static_cast<std::size_t>(r.last)] -
                               sums_[static_cast<std::size_t>(r.first)];
    }
    double total() const { return sums_.back(); }
    // the first iteration is, in every shape.
    double longest() const { return iterations() > 0 ? sums_[1] : 0; }
    // How many iterations from r.first on take that long, at least 1, at most all of r.
    std::int64_t count_worth(range r, double duration) const;

private:
    std::string name_;
    std::vector<double> sums_;  // of all iterations before
};

}  // namespace artel::model
