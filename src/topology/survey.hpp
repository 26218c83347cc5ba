// What a machine consists of, before the restrictions of a process are applied. There are two ways
// to find out. A machine with one NUMA node, which most are, is read from a few files of /sys; that
// takes some tens of microseconds at the start of every program. For all others there is hwloc,
// which knows the quirks of firmware and which node is near to what, but takes more than 0.5 ms and
// half a megabyte even where there is nothing to know; the library is loaded only for them.
#pragma once

#include "topology/topology.hpp"

#include <string>
#include <vector>

namespace artel::topology {

// A CPU by the survey's own numbers, which say what is the same and in which order: they need not
// be dense.
struct surveyed_cpu {
    unsigned os_index;
    unsigned core;
    unsigned l3;    // the same for all that have no L3
    unsigned numa;  // OS index of the nearest node
    unsigned package;
};

struct survey {
    std::vector<surveyed_cpu> cpus;  // online ones
    std::vector<numa_node> nodes;    // by os_index; numa_node::cpus is left to make_machine
    unsigned online_cpus = 0;  // of the whole machine; more than in `cpus` if only some matter
    std::string failure;       // why nothing is known, in words, if the user should know
};

// Reads a machine with one NUMA node from /sys; false for others, and where the files are not as
// expected. Only CPUs in `wanted` (sorted; empty: all) are described. Memory of the node is left
// out. `root` is put before every path, as in read_cpu_quota. Any thread; may throw bad_alloc.
bool survey_one_node(const std::vector<unsigned>& wanted, survey& found,
                     const std::string& root = {});

// Whether /sys says that there are several nodes.
bool has_several_nodes(const std::string& root = {});

// This system by hwloc; false if that library is missing or fails. Any thread; may throw bad_alloc.
bool survey_by_hwloc(survey& found);

// hwloc's synthetic machine of this description; false if hwloc is missing or rejects it.
bool survey_synthetic(const char* description, survey& found);

// What the process can use of the machine that was found. A NUMA restriction that leaves nothing is
// ignored, and `reason` says so. May throw bad_alloc.
machine make_machine(const survey& found, const restrictions& limits);

}  // namespace artel::topology
