// The machine as this process may use it: its CPUs, which of them share caches and NUMA nodes, and
// how many of them the process can keep busy (effective CPUs), with the reason in words.
//
// Three facts are joined: the CPUs of the inherited affinity mask, a survey of caches and NUMA
// nodes (survey.hpp), and the cgroup CPU quota of every ancestor (cpu_quota.hpp). ARTEL_NUMAS
// restricts the result further. Everything is read once, when first asked for; a mask or quota
// changed later is not followed, as is usual for such runtimes.
//
// Invariants of a machine: cpus is never empty; 1 <= effective_cpus <= cpus.size(). CPUs that the
// survey does not know (no /sys, say) still appear, as cores of their own on node 0. Rejected:
// hwloc for every machine (survey.hpp); a complete load by it even costs 1-2.5 ms, mostly for
// devices, which nobody here needs.
#pragma once

#include "topology/cpu_quota.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace artel::topology {

// One hardware thread that the process may run on.
struct cpu {
    unsigned os_index;  // as in sched_setaffinity
    // dense, machine-wide: CPUs with the same number are hardware threads of one core.
    unsigned core;
    // dense, machine-wide: CPUs with the same number share an L3 (if any) *and* a NUMA node.
    unsigned l3;
    // OS index of the nearest NUMA node that has memory, as in mbind and ARTEL_NUMAS.
    unsigned numa;
    unsigned package;  // dense, machine-wide: CPUs with the same number are in one socket
    unsigned smt;      // 0 for the first of the core's threads in `cpus`, 1 for the second, ...
};

// One NUMA node of the machine, also those with memory only.
struct numa_node {
    unsigned os_index;
    // how many of machine::cpus are here; 0 also for a node that holds memory only.
    unsigned cpus;
    std::uint64_t memory;  // bytes, 0 if not found out (node_memory)
    bool memory_only;      // no CPU of the machine is nearest to it
};

struct machine {
    // First the first threads of all cores, ordered by NUMA node, L3 and core; then all second
    // threads likewise, and so on: the first n entries are the best places for n workers that need
    // a core each and sit close together.
    std::vector<cpu> cpus;
    std::vector<numa_node> nodes;  // by os_index
    unsigned online_cpus = 1;      // of the whole machine, whether or not the process may use them
    unsigned cores = 1;            // distinct cores in `cpus`
    unsigned l3s = 1;              // distinct values of cpu::l3
    unsigned effective_cpus = 1;   // how many threads the process can keep running
    // why it is that many, e.g. "2 of 8 CPUs: cgroup v1 quota ... allows 1.5, rounded up".
    std::string reason;
    // of the NUMA nodes asked for, which cannot be used, and why; empty when all can.
    std::string numas_unusable;
    // Why facts about NUMA nodes or caches are missing: no hwloc, or one that fails or is told to
    // describe another machine; empty when none is.
    std::string survey_failed;
    cpu_quota quota;  // the tightest quota found
};

// What a machine is made from besides the survey; the defaults mean "no restriction".
struct restrictions {
    std::vector<unsigned> affinity;  // OS indices of the CPUs in the inherited mask; empty = all
    std::vector<unsigned> numas;     // OS indices of NUMA nodes to use (ARTEL_NUMAS); empty = all
    cpu_quota quota;                 // tightest CPU quota
};

// This machine as this process may use it. Read on the first call (about 0.1 ms on 2 CPUs), then
// constant until the process is gone. Any thread; never throws. Without /sys or /proc the CPUs of
// the affinity mask are all that is known.
const machine& this_machine() noexcept;

// Around fork(), in both processes: waits until nobody is reading the machine, and keeps others
// from beginning. On the forking thread.
void before_fork() noexcept;
void after_fork_in_parent() noexcept;
void after_fork_in_child() noexcept;

// The machine of hwloc's synthetic description, e.g. "numa:4 l3:2 core:4 pu:2", under these
// restrictions; false if hwloc rejects it, or is not there. For `artel info --synthetic` and tests.
bool make_synthetic_machine(const char* description, const restrictions& limits, machine& result);

// Whether libhwloc can be loaded; a machine with one node does not need it.
bool hwloc_is_there();

// How many bytes of memory the NUMA node of this system has; 0 if the system does not tell. Only
// code that shows it calls this, so that no program waits for that file at its start.
std::uint64_t node_memory(unsigned os_index);

// OS indices of the CPUs in the mask the process inherited: that of the initial thread when the
// library was loaded, so that a program that pins its own threads later does not narrow the crew.
// Never empty.
const std::vector<unsigned>& inherited_affinity();

// How many of them the initial thread's mask has by now.
std::size_t allowed_by_now();

// "0-3,8" for {0,1,2,3,8}; the input must be sorted. Runs of fewer than `shortest_range` are
// written one by one.
std::string format_list(std::span<const unsigned> indices, std::size_t shortest_range = 2);

}  // namespace artel::topology
