// See cross_check.hpp.
#include "lab/cross_check.hpp"

#include <fmt/format.h>

namespace artel::lab {

namespace {

bool applies_to(const cell& c)
{
    return c.workload == "alloc";
}

// All that determines the tasks' operations, as text.
std::string work_of(const cell& c)
{
    return fmt::format("{}/N{}/K{}/W{}", c.workload, c.tasks, c.size, c.width);
}

// The checksum of a result that succeeded; else empty.
std::string checksum_of(const json& result)
{
    return result.value("status", "") == "ok" ? result.value("checksum", "") : "";
}

}  // namespace

bool cross_check::needs_full_check(const cell& c) const
{
    return applies_to(c) && !checked_.contains(work_of(c));
}

void cross_check::add(const cell& c, const json& result)
{
    if (const auto sum = checksum_of(result);
        applies_to(c) && result.value("check", "") == "full" && !sum.empty())
        checked_.try_emplace(work_of(c), sum);
}

void cross_check::apply(json& entries) const
{
    for (auto& entry : entries) {
        const auto c = entry.at("cell").get<cell>();
        auto& result = entry.at("result");
        const auto sum = checksum_of(result);
        const auto expected = checked_.find(work_of(c));
        if (applies_to(c) && !sum.empty() && expected != checked_.end() && sum != expected->second)
            result = {{"status", "fail"},
                      {"reason",
                       fmt::format("wrong result: the checksum over all tasks is {} instead of {}",
                                   sum, expected->second)}};
    }
}

}  // namespace artel::lab
