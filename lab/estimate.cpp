// See estimate.hpp.
#include "lab/estimate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace artel::lab {

namespace {

std::string workload_of(const cell& c)
{
    return fmt::format("{} {} {}", c.workload, c.size, c.width);
}

std::string kind_of(const cell& c)
{
    return fmt::format("{} {} {}", workload_of(c), c.variant, c.allocator);
}

}  // namespace

void estimate::add(const cell& c, double seconds)
{
    for (auto* const it : {&by_kind_[kind_of(c)][c.tasks], &by_workload_[workload_of(c)]}) {
        it->seconds += seconds;
        ++it->count;
    }
}

std::optional<double> estimate::of(const cell& c) const
{
    if (const auto kind = by_kind_.find(kind_of(c)); kind != by_kind_.end()) {
        const sum* nearest = nullptr;
        double distance = 1e300;
        for (const auto& [tasks, measured] : kind->second)
            if (const double d = std::abs(std::log2(static_cast<double>(tasks) / c.tasks));
                d < distance) {
                distance = d;
                nearest = &measured;
            }
        return nearest->mean();
    }
    const auto workload = by_workload_.find(workload_of(c));
    return workload == by_workload_.end() ? std::nullopt : std::optional(workload->second.mean());
}

estimate::rest estimate::of(const std::vector<cell>& cells) const
{
    rest result;
    for (const auto& c : cells)
        if (const auto seconds = of(c))
            result.seconds += *seconds;
        else
            ++result.unknown;
    return result;
}

}  // namespace artel::lab
