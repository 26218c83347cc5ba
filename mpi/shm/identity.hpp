// What other ranks need to know of a rank before they share memory: its machine, the CPUs that it
// may use, the CPU on which it runs.
#pragma once

#include <cstdint>
#include <string>

namespace artel::shm {

// Sent between processes: plain data.
struct identity {
    // equal when two ranks can share memory: kernel, host name and /dev/shm are the same.
    std::uint64_t host[2] = {};
    std::uint64_t pid_namespace = 0;  // equal when they can open each other's /proc/<pid>
    std::uint64_t start = 0;          // start time of the process
    std::int32_t pid = 0;
    std::int32_t numa = -1;   // of the CPU it runs on now; -1 unknown
    std::int32_t cache = -1;  // the lowest CPU that shares its last-level cache; -1 unknown
    // number of CPUs that its quota allows; 0: as many as the mask has.
    std::uint32_t cpus_allowed = 0;
    std::uint64_t cpus[16] = {};      // affinity mask of CPUs 0-1023
    std::uint32_t more_cpus = 0;      // how many others it has
    std::uint32_t nodes = 1;          // NUMA nodes with CPUs that the machine has
    std::uint32_t nodes_allowed = 1;  // those of them on which the mask lets it run
};

// The calling process. Reads some small files; never throws: facts that cannot be found keep their
// defaults.
identity own_identity() noexcept;

// Bytes that this process may still use under cgroup memory limits; without a limit the largest
// number. Never throws.
std::uint64_t memory_left() noexcept;

}  // namespace artel::shm
