// Which cells a lab run measures: the cross product of workloads, variants, allocators and numbers
// of tasks that the options leave.
#pragma once

#include "lab/cell.hpp"

namespace artel::lab {

enum class scale { quick, normal, paper };

struct plan_options {
    scale how_much = scale::normal;
    std::vector<std::string> workloads{"alloc", "rows", "tiles", "exchanges"};
    std::vector<std::string> variant_names;                            // empty: all
    std::vector<unsigned> tasks;                                       // empty: by scale
    std::uint64_t alloc_size = 0, matrix_size = 0, exchange_size = 0;  // 0: by scale
    unsigned width = 0, repeats = 0;                                   // 0: by scale
    std::string affinity = "interleave";
    bool allocators = true;  // also compare allocators
    bool full_check = false;
    std::string tmpfs = "/dev/shm";
};

// The options with everything filled in that was left to the scale.
plan_options completed(plan_options o);

// In the order of measurement: the variants of one size beside each other, so that whatever the
// machine does meanwhile meets them alike; repeats outermost, for the same reason; then the numbers
// of tasks, so that a run that is cut short has something of every workload and knows soon how long
// the rest takes. Takes completed options.
std::vector<cell> make_plan(const plan_options& o);

// The workloads of the plan that none of its variants applies to, such as alloc when only T-M is
// wanted.
std::vector<std::string> left_out(const plan_options& o);

// The huge pages of 2 MiB that the cell needs; 0 for most.
std::size_t huge_pages_needed(const cell& c);

json describe(const plan_options& o);

}  // namespace artel::lab
