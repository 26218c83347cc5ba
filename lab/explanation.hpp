// Which counts differ along with a time: between threads and processes, and between sizes of pages.
#pragma once

#include "lab/results.hpp"

#include <string>
#include <vector>

namespace artel::lab {

// A sentence with the counts that are clearly higher in the slower of two measurements, or that
// none is.
std::string explanation(const measurement& slower, const measurement& faster,
                        const char* slower_name, const char* faster_name);

// How two page policies of one workload compare over all numbers of tasks, and how much of the
// difference is time in the kernel (page faults), and how much in the program (address translation,
// caches). Empty if no number of tasks has both. `words` names what `large` has and `small` has
// not.
std::string page_effect(const results& r, const std::string& workload, const char* large,
                        const char* small, const char* words);

// Counters that were not available in some measurement, grouped by reason.
struct missing_counter {
    std::string why;
    std::vector<std::string> names;
};
std::vector<missing_counter> missing_counters(const results& r);

}  // namespace artel::lab
