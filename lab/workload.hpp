// What the four workloads have in common: data prepared before the clock starts, one function that
// every task executes, whether it is a thread or a process, and a check of the result afterwards.
// Only where data must lie in shared memory, or be copied between address spaces, does a workload
// depend on how its tasks are run.
#pragma once

#include "lab/cell.hpp"
#include "lab/shared_memory.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace artel::lab {

// The system does not let the cell run; the text says what was asked for and why it was refused.
class refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The result of a task, in memory that processes share. A cache line or more each, written only by
// its task.
struct alignas(128) task_record {
    std::uint64_t steps = 0;       // operations executed
    std::uint64_t checksum = 0;    // over the operations and their data
    std::uint64_t exchanges = 0;   // Exchanges: completed ones
    std::int64_t array = -1;       // Exchanges: the array held at the end, -1 for none
    std::uint64_t library_ns = 0;  // time in malloc and free, extrapolated from samples
    bool failed = false;
    std::array<char, 200> message{};

    void fail(const std::string& text) noexcept
    {
        failed = true;
        std::strncpy(message.data(), text.c_str(), message.size() - 1);
    }
};

// One record per task, and, for tests, the first operations that each executed.
class task_records {
public:
    task_records(unsigned tasks, unsigned trace);  // throws refused

    task_record& operator[](unsigned task) noexcept { return records_[task]; }
    unsigned count() const noexcept { return tasks_; }

    // Called by the task for its operation number `step`.
    void note(unsigned task, std::uint64_t step, std::uint64_t operation) noexcept
    {
        if (step < trace_length_)
            trace_[std::uint64_t{task} * trace_length_ + step] = operation + 1;  // 0: not executed
    }
    json trace_as_json() const;

private:
    unsigned tasks_, trace_length_;
    shared_memory record_memory_, trace_memory_;
    task_record* records_;
    std::uint64_t* trace_;
};

// What a workload reports about a run that succeeded. Negative or empty: does not apply.
struct workload_facts {
    std::string checksum;  // equal for all variants and numbers of repeats
    double malloc_seconds = -1;
    std::int64_t steps = -1, exchanges = -1;
};

class workload {
public:
    virtual ~workload() = default;

    // The work of task number `task`. Called once for each, concurrently, in threads of this
    // process or in children of it. Reports through its record and does not throw.
    virtual void run(unsigned task) noexcept = 0;

    // Called after all tasks have succeeded: empty, or what is wrong with the result.
    virtual std::string check() = 0;

    virtual workload_facts facts() = 0;
};

// Refuses a cell with fewer steps than tasks: no task would execute any, and the time of doing
// nothing would pass for a measurement.
void require_steps(const cell& c);

// Makes the workload and its data. Throws refused when the system lacks what it needs.
std::unique_ptr<workload> make_workload(const cell& c, const variant& how, task_records& records);

std::unique_ptr<workload> make_alloc(const cell& c, const variant& how, task_records& records);
std::unique_ptr<workload> make_matmul(const cell& c, const variant& how, task_records& records);
std::unique_ptr<workload> make_exchanges(const cell& c, const variant& how, task_records& records);

}  // namespace artel::lab
