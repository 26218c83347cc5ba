// Candidates for the fan-out are small numbers, then powers of two, and all other workers at once;
// the one with the lowest 99th percentile is measured again with all runs, and that percentile is
// the timespan.
#include "artel/tune_width.hpp"

#include "artel/tune_measure.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace artel::tool {
namespace {

using json = nlohmann::ordered_json;

// the part of the runs in which all workers are reached within the timespan, as in the thesis.
constexpr double part_in_time = 0.99;

// Bins of equal ratio from the first to the last value; what lies above the 99.9th percentile is in
// the last one.
json histogram(const std::vector<double>& sorted)
{
    constexpr std::size_t bins = 20;
    const double low = std::max(sorted.front(), 1.0);
    const double high = std::max(quantile(sorted, 0.999), low * 1.01);
    std::vector<std::size_t> counts(bins);
    for (const double value : sorted) {
        const double place = std::log(std::max(value, low) / low) / std::log(high / low) * bins;
        ++counts[std::min(static_cast<std::size_t>(place), bins - 1)];
    }
    json result = json::array();
    for (std::size_t i = 0; i < bins; ++i) {
        const auto edge = [&](std::size_t n) {
            return low * std::pow(high / low, static_cast<double>(n) / bins);
        };
        result.push_back({{"from_ns", edge(i)},
                          {"to_ns", i + 1 == bins ? sorted.back() : edge(i + 1)},
                          {"runs", counts[i]}});
    }
    return result;
}

}  // namespace

json measure_width(unsigned threads, std::size_t runs, reporter& report)
{
    std::vector<unsigned> candidates;
    for (unsigned k = 1; k < threads; k = k < 4 ? k + 1 : k * 2) {
        candidates.push_back(k);
    }
    if (candidates.back() != threads - 1) {
        candidates.push_back(threads - 1);
    }
    const auto measure = [&](unsigned fan_out, std::size_t n) {
        const std::string what = fmt::format("{} workers, fan-out {}", threads, fan_out);
        auto values = measure_distribution(
            threads, fan_out, n,
            [&](std::size_t done, std::size_t all) { report.tell(what, done, all); });
        std::sort(values.begin(), values.end());
        return values;
    };
    json compared = json::array();
    unsigned best = candidates.front();
    if (candidates.size() > 1) {
        double least = 0;
        for (const unsigned k : candidates) {
            const auto values = measure(k, std::max<std::size_t>(runs / 10, 100));
            const double time = quantile(values, part_in_time);
            compared.push_back(
                {{"fan_out", k}, {"median_ns", quantile(values, 0.5)}, {"p99_ns", time}});
            if (least == 0 || time < least) {
                least = time;
                best = k;
            }
        }
    }
    const auto values = measure(best, runs);
    report.end();
    return {{"threads", threads},
            {"fan_out", best},
            {"timespan_ns", quantile(values, part_in_time)},
            {"runs", runs},
            {"least_ns", values.front()},
            {"median_ns", quantile(values, 0.5)},
            {"p90_ns", quantile(values, 0.9)},
            {"most_ns", values.back()},
            {"fan_outs", compared},
            {"histogram", histogram(values)}};
}

}  // namespace artel::tool
