// A cell is one entry of the paper's tables: a workload, a variant, a number of tasks, and sizes.
// Each is measured in a new process, because page policies and allocators can only be chosen before
// a process begins. The process gets the cell, and returns its result, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace artel::lab {

using json = nlohmann::ordered_json;

// How tasks are started, and where shared data lies. The names are the paper's: T threads, P
// processes, -M memory by mmap rather than malloc, HP explicit huge pages, -N transparent huge
// pages off for the job.
struct variant {
    const char* name;
    bool processes;
    bool mapped;  // shared data lies in a shared mapping, as it must for processes
    bool huge;    // explicit 2 MiB pages
    bool no_thp;
    const char* meaning;
};

const std::vector<variant>& variants();
const variant& variant_named(const std::string& name);  // throws std::invalid_argument

struct cell {
    std::string workload;  // alloc, rows, tiles, exchanges
    std::string variant;
    // glibc, glibc-1-arena, glibc-arena-per-task, or the name of a library to preload.
    std::string allocator = "glibc";
    std::string affinity = "interleave";
    unsigned tasks = 1;
    std::uint64_t size = 0;  // K: steps in all, or rows of the matrices
    unsigned width = 0;      // W of Exchanges
    unsigned repeat = 0;
    unsigned trace = 0;  // operations a task records, for tests
    bool full_check = false;
    std::string tmpfs = "/dev/shm";

    // Equal for two cells if and only if a measurement of one is valid for the other.
    std::string key() const;
};

void to_json(json& j, const cell& c);
void from_json(const json& j, cell& c);

// Measures the cell in the calling process, which must have been started for it (see job.hpp).
// Never throws: if the system refuses something, the result is {"status": "fail", "reason": ...}.
// Otherwise {"status": "ok", "seconds": ..., "evidence": {...}, ...}.
json run_cell(const cell& c);

}  // namespace artel::lab
