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

// The thesis's timespan_tuner: loops of as many iterations as workers, each of which waits until
// all have begun, dealt out along a tree in which each worker reaches `fan_out` others. For each
// run the nanoseconds from the call to the last beginning. The crew must have at least `threads`
// workers; throws command_error when the system does not give them.
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

// What a thread waits for the CPU while another one that shares it looks for work: nanoseconds from
// one sched_yield to the other's return from its own, two threads on one CPU. The median of
// `rounds` measurements.
double measure_turn(std::size_t rounds);

// One pair of CPUs for each level that the process's CPUs have; medians of `rounds` measurements.
std::vector<level> measure_levels(std::size_t rounds);

}  // namespace artel::tool
