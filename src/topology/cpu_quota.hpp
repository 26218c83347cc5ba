// The CPU time that cgroups leave to this process: the tightest quota of its group and of every
// visible ancestor.
//
// cgroup v1 (cpu.cfs_quota_us / cpu.cfs_period_us), v2 (cpu.max) and hybrid set-ups, where both
// exist, are read; so are containers, where the hierarchy is mounted from a group below the root or
// the cgroup namespace hides what is above (the quota of a hidden ancestor cannot be seen by anyone
// inside). cpuset limits need nothing here: they are already in the affinity mask. A quota of 1.5
// CPUs counts as 2: the crew would rather be throttled a little than leave half a CPU idle.
#pragma once

#include <string>

namespace artel::topology {

struct cpu_quota {
    double cpus = 0;          // CPUs' worth of time per second; 0 = no quota anywhere
    int version = 0;          // cgroup version that sets it, 1 or 2
    long long quota_us = 0;   // microseconds of CPU time ...
    long long period_us = 0;  // ... per this many microseconds of wall time
    std::string group;        // path of the group inside its hierarchy, as mounted, e.g. "/a/b"

    bool limited() const noexcept { return cpus > 0; }
    unsigned rounded_up() const noexcept;  // at least 1; 0 when there is no quota
};

// Reads the quota of this process. `root` is put before every path ("" = the real /proc and /sys),
// so that tests can give a made-up file tree. Files that are missing or make no sense count as "no
// quota". Any thread; may throw bad_alloc.
cpu_quota read_cpu_quota(const std::string& root = {});

}  // namespace artel::topology
