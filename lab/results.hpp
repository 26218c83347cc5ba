// The measurements of a run, with the repeats of a cell combined, for reports and summary.
#pragma once

#include "lab/cell.hpp"

#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace artel::lab {

// Whether a job computed something else than it should have. One such repeat makes the measurement
// fail, however many others were right.
bool is_wrong(const json& result);

struct measurement {
    std::vector<double> seconds;  // of the repeats that succeeded, ascending
    // of the last repeat whose result was wrong; else of the last that was measured and did not
    // succeed; else "missing" if one is.
    std::string status = "ok", reason;
    // some repeat's result was
    bool wrong = false;
    std::map<std::string, double> evidence;  // median over the repeats; missing where not available
    std::map<std::string, std::string> unavailable;

    bool ok() const noexcept { return !wrong && !seconds.empty(); }
    double median() const noexcept;
    double least() const noexcept { return seconds.front(); }
    double most() const noexcept { return seconds.back(); }
    // The range of the repeats as a share of the median; 0 for a single one.
    double spread() const noexcept { return (most() - least()) / median(); }
};

class results {
public:
    // `entries` are {"cell": ..., "result": ...}.
    explicit results(const json& entries);

    const measurement* find(const std::string& workload, const std::string& variant, unsigned tasks,
                            const std::string& allocator = "glibc") const;
    // Median seconds; empty if not measured or failed.
    std::optional<double> seconds(const std::string& workload, const std::string& variant,
                                  unsigned tasks, const std::string& allocator = "glibc") const;
    // How many times longer the first variant takes than the second.
    std::optional<double> ratio(const std::string& workload, const std::string& first,
                                const std::string& second, unsigned tasks) const;

    // f(workload, variant, allocator, tasks, measurement)
    template <class F>
    void for_each(F f) const
    {
        for (const auto& [key, m] : cells_)
            std::apply([&](const auto&... part) { f(part..., m); }, key);
    }
    bool has(const std::string& workload) const { return workloads_.count(workload) != 0; }
    const std::set<unsigned>& tasks() const noexcept { return tasks_; }
    // The fastest number of tasks of a variant, and its time.
    std::optional<std::pair<unsigned, double>> best(const std::string& workload,
                                                    const std::string& variant,
                                                    const std::string& allocator = "glibc") const;

private:
    std::map<std::tuple<std::string, std::string, std::string, unsigned>, measurement> cells_;
    std::set<std::string> workloads_;
    std::set<unsigned> tasks_;
};

}  // namespace artel::lab
