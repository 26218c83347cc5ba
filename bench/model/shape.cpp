// A shape gives each iteration a weight. Kept are the prefix sums, scaled so that iterations take
// `mean` on average.
#include "shape.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace artel::model {

shape::shape(const std::string& name, std::int64_t iterations, double mean)
    : name_(name), sums_(static_cast<std::size_t>(iterations) + 1)
{
    if (name != "balanced" && name != "triangle" && name != "hyperbolic") {
        throw std::runtime_error(
            fmt::format("'{}' is no shape: balanced, triangle and hyperbolic are", name));
    }
    const auto n = static_cast<double>(iterations);
    for (std::int64_t i = 0; i < iterations; ++i) {
        const double weight = name == "balanced"   ? 1
                              : name == "triangle" ? n - static_cast<double>(i)
                                                   : 1 / static_cast<double>(i + 1);
        sums_[static_cast<std::size_t>(i) + 1] = sums_[static_cast<std::size_t>(i)] + weight;
    }
    const double scale = iterations > 0 ? mean * n / sums_.back() : 0;
    for (double& sum : sums_) {
        sum *= scale;
    }
}

std::int64_t shape::count_worth(range r, double duration) const
{
    const auto begin = sums_.begin() + r.first;
    const auto found = std::upper_bound(begin + 1, sums_.begin() + r.last + 1, *begin + duration);
    return std::clamp<std::int64_t>(found - begin - 1, 1, r.size());
}

}  // namespace artel::model
