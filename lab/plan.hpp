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

// The options, with the scale's values for all that was not given.
plan_options completed(plan_options o);

// The cells in the order of measurement. The variants of one size follow each other, so that
// changes of the machine's speed affect them alike; repeats are the outermost loop, for the same
// reason; the numbers of tasks are the next, so that a run that is cut short has cells of every
// workload, and can soon estimate its duration. Takes completed options.
std::vector<cell> make_plan(const plan_options& o);

// The workloads of the plan to which none of its variants applies, such as alloc when only T-M is
// wanted.
std::vector<std::string> left_out(const plan_options& o);

// The huge pages of 2 MiB that the cell needs; 0 for most.
std::size_t huge_pages_needed(const cell& c);

json describe(const plan_options& o);

}  // namespace artel::lab
