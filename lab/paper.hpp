// The paper's own numbers, to compare ratios: its machines are of 2009 to 2012, so absolute times
// cannot be compared.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace artel::lab {

struct paper_row {
    int table;  // 2 to 5
    const char* workload;
    const char* system;  // A640 (4 cores), X5675 (2 x 6 cores, 24 threads), I7 (4 cores, 8 threads)
    const char* variant;
    std::array<double, 10> seconds;  // for 1, 2, 4, ... 512 tasks; NaN: FAIL
};

const std::vector<paper_row>& paper_rows();

std::optional<double> paper_seconds(const std::string& workload, const std::string& system,
                                    const std::string& variant, unsigned tasks);
// How many times longer the first variant took than the second.
std::optional<double> paper_ratio(const std::string& workload, const std::string& system,
                                  const std::string& first, const std::string& second,
                                  unsigned tasks);

// The share of matrix comparisons that processes won: 82 of the 140 pairs of equal page policy in
// tables 3 and 4.
inline constexpr double paper_process_share = 0.5856;

}  // namespace artel::lab
