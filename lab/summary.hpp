// The findings of a run, in numbers and in sentences: whether threads or processes were faster, by
// how much, and which counts differ along with the times.
#pragma once

#include "lab/results.hpp"

#include <string>
#include <vector>

namespace artel::lab {

// Two variants that differ only in threads against processes.
struct variant_pair {
    const char* threads;
    const char* processes;
};
const std::vector<variant_pair>& fair_pairs();

// How many of the comparisons of equal page policy the processes win, over both matrix workloads.
struct win_count {
    unsigned processes = 0, all = 0;
    double share() const noexcept { return all == 0 ? 0 : static_cast<double>(processes) / all; }
};
win_count matrix_wins(const results& r);

std::vector<std::string> summary_sentences(const results& r);

json summary_as_json(const results& r);

// For people.
const char* title_of(const std::string& workload);
std::string format_seconds(double seconds);

}  // namespace artel::lab
