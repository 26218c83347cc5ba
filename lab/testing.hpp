// For tests: results as a lab run would have them, without measuring.
#pragma once

#include "lab/results.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace artel::lab::testing {

inline cell cell_of(const std::string& workload, const std::string& variant, unsigned tasks,
                    unsigned repeat = 0, const std::string& allocator = "glibc")
{
    cell c;
    c.workload = workload;
    c.variant = variant;
    c.tasks = tasks;
    c.repeat = repeat;
    c.allocator = allocator;
    c.size = 64;
    return c;
}

inline json ok(double seconds, json evidence = json::object())
{
    return {{"status", "ok"}, {"seconds", seconds}, {"evidence", std::move(evidence)}};
}

inline json not_ok(const std::string& status, const std::string& reason)
{
    return {{"status", status}, {"reason", reason}};
}

// Entries of results.json, collected.
class entries {
public:
    entries& add(const cell& c, json result)
    {
        all_.push_back({{"cell", c}, {"result", std::move(result)}});
        return *this;
    }
    // One repeat after the other.
    entries& times(const std::string& workload, const std::string& variant, unsigned tasks,
                   std::initializer_list<double> seconds, const json& evidence = json::object(),
                   const std::string& allocator = "glibc")
    {
        unsigned repeat = 0;
        for (const double it : seconds)
            add(cell_of(workload, variant, tasks, repeat++, allocator), ok(it, evidence));
        return *this;
    }
    results made() const { return results(all_); }
    const json& as_json() const { return all_; }

private:
    json all_ = json::array();
};

inline bool contains(const std::vector<std::string>& sentences, const std::string& part)
{
    for (const auto& it : sentences)
        if (it.find(part) != it.npos)
            return true;
    return false;
}

}  // namespace artel::lab::testing
