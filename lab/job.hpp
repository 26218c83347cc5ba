// Runs one cell as a job: a new process group, started with the cell's page policy and allocator.
// Nothing of it is left afterwards, however it ended.
#pragma once

#include "lab/cell.hpp"

#include <chrono>
#include <string>

namespace artel::lab {

struct job_settings {
    // executed as `program lab --cell JSON`; must call run_cell_and_report.
    std::string program;
    std::chrono::seconds timeout{600};  // a job that takes longer is killed and counts as failed
};

// Thrown by run_job when SIGINT, SIGTERM or SIGHUP has arrived since catch_interrupts; the job has
// ended by then.
struct interrupted {
    int signal;
};

// From now on these signals end the current job instead of this process. Also makes this process
// the parent of the jobs' orphans, so that none can escape.
void catch_interrupts();
int pending_interrupt() noexcept;  // the signal, or 0

// Returns what run_cell returns, or a failure that says how the job died. Statuses: ok, fail, skip
// (the cell cannot run on this machine; the reason says how to enable it). Blocks until the job has
// ended; one job at a time.
json run_job(const cell& c, const job_settings& settings);

// Called in the job: measures the cell in `text` and writes the result to the pipe that run_job has
// left open. Does not return.
[[noreturn]] void run_cell_and_report(const std::string& text);

}  // namespace artel::lab
