// See results.hpp.
#include "lab/results.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace artel::lab {

namespace {

double median_of(const std::vector<double>& ascending) noexcept
{
    const auto n = ascending.size();
    return n == 0       ? 0
           : n % 2 == 1 ? ascending[n / 2]
                        : (ascending[n / 2 - 1] + ascending[n / 2]) / 2;
}

}  // namespace

bool is_wrong(const json& result)
{
    return result.value("reason", "").find("wrong result") != std::string::npos;
}

double measurement::median() const noexcept
{
    return median_of(seconds);
}

results::results(const json& entries)
{
    std::map<std::tuple<std::string, std::string, std::string, unsigned>,
             std::map<std::string, std::vector<double>>>
        evidence;
    for (const auto& entry : entries) {
        const auto c = entry.at("cell").get<cell>();
        const auto& result = entry.at("result");
        const auto key = std::tuple(c.workload, c.variant, c.allocator, c.tasks);
        auto& m = cells_[key];
        workloads_.insert(c.workload);
        tasks_.insert(c.tasks);
        if (result.at("status") != "ok") {
            const bool wrong = is_wrong(result);
            if ((m.wrong && !wrong) || (result.at("status") == "missing" && m.status != "ok"))
                continue;
            m.wrong = wrong;
            m.status = result.at("status");
            m.reason = result.value("reason", "");
            continue;
        }
        m.seconds.push_back(result.at("seconds"));
        for (const auto& [name, value] : result.at("evidence").items())
            if (value.is_number())
                evidence[key][name].push_back(value);
            else if (name == "unavailable")
                for (const auto& [counter, why] : value.items())
                    m.unavailable[counter] = why;
    }
    for (auto& [key, m] : cells_) {
        std::sort(m.seconds.begin(), m.seconds.end());
        for (auto& [name, values] : evidence[key]) {
            std::sort(values.begin(), values.end());
            m.evidence[name] = median_of(values);
        }
    }
}

const measurement* results::find(const std::string& workload, const std::string& variant,
                                 unsigned tasks, const std::string& allocator) const
{
    const auto it = cells_.find({workload, variant, allocator, tasks});
    return it == cells_.end() ? nullptr : &it->second;
}

std::optional<double> results::seconds(const std::string& workload, const std::string& variant,
                                       unsigned tasks, const std::string& allocator) const
{
    const auto* m = find(workload, variant, tasks, allocator);
    return m != nullptr && m->ok() ? std::optional(m->median()) : std::nullopt;
}

std::optional<double> results::ratio(const std::string& workload, const std::string& first,
                                     const std::string& second, unsigned tasks) const
{
    const auto a = seconds(workload, first, tasks), b = seconds(workload, second, tasks);
    return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

std::optional<std::pair<unsigned, double>> results::best(const std::string& workload,
                                                         const std::string& variant,
                                                         const std::string& allocator) const
{
    std::optional<std::pair<unsigned, double>> result;
    for (const unsigned n : tasks_)
        if (const auto s = seconds(workload, variant, n, allocator);
            s && (!result || *s < result->second))
            result.emplace(n, *s);
    return result;
}

}  // namespace artel::lab
