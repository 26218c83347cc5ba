// Who a rank is, as the others need to know it before they share memory: which machine it sees,
// which CPUs it may use, where it runs.
#pragma once

#include <cstdint>
#include <string>

namespace artel::shm {

// Travels between processes: plain data.
struct identity {
    // equal when two ranks can share memory: kernel, host name and /dev/shm are the same.
    std::uint64_t host[2] = {};
    std::uint64_t pid_namespace = 0;  // equal when they can open each other's /proc/<pid>
    std::uint64_t start = 0;          // start time of the process
    std::int32_t pid = 0;
    std::int32_t numa = -1;   // of the CPU it runs on now; -1 unknown
    std::int32_t cache = -1;  // the lowest CPU that shares its last-level cache; -1 unknown
    // how many CPUs its quota leaves it; 0: as many as the mask has.
    std::uint32_t cpus_allowed = 0;
    std::uint64_t cpus[16] = {};      // affinity mask of CPUs 0-1023
    std::uint32_t nodes = 1;          // NUMA nodes with CPUs that the machine has
    std::uint32_t nodes_allowed = 1;  // of them, those that the mask lets it run on
};

// The calling process. Reads some small files; never throws, what cannot be found out keeps its
// default.
identity own_identity() noexcept;

// What cgroup memory limits leave this process in bytes; no limit: the largest number. Never
// throws.
std::uint64_t memory_left() noexcept;

}  // namespace artel::shm
