// The measurements behind `artel tune`: how long it takes until all workers have begun with a loop,
// and what a notification and a copy between two CPUs cost at each level of the machine.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace artel::tool {

// Called now and then with how many of all runs are done.
using progress = std::function<void(std::size_t done, std::size_t all)>;

// The thesis's timespan_tuner: loops with as many iterations as workers; each iteration waits until
// all have begun. They are distributed along a tree in which each worker reaches `fan_out` others.
// Returns for each run the nanoseconds from the call until the last iteration begins. The crew must
// have at least `threads` workers; throws command_error when the system does not allow so many
// threads.
std::vector<double> measure_distribution(unsigned threads, unsigned fan_out, std::size_t runs,
                                         const progress& tell);

// The value below which `part` (0 to 1) of the sorted values lie.
double quantile(const std::vector<double>& sorted, double part);

struct level {
    std::string name;            // what the two CPUs share: core, cache, node, machine
    unsigned from = 0, to = 0;   // their numbers
    double notification_ns = 0;  // from a write to its being seen
    double copy_ns_per_kib = 0;  // of a block that the other one has written
};

// How long a thread waits for its CPU while another thread there looks for work: two threads on one
// CPU, nanoseconds from the sched_yield of one to the return of the other from its own. The median
// of `rounds` measurements.
double measure_turn(std::size_t rounds);

// One pair of CPUs for each level that the process's CPUs have; medians of `rounds` measurements.
std::vector<level> measure_levels(std::size_t rounds);

}  // namespace artel::tool
