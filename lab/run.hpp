// A lab run from beginning to end: makes the plan, measures what an interrupted run has not
// measured, writes results and report.
#pragma once

#include "lab/job.hpp"
#include "lab/plan.hpp"

#include <chrono>
#include <filesystem>
#include <optional>

namespace artel::lab {

struct run_options {
    plan_options plan;
    job_settings job;
    // results.json and report.html, and while unfinished unfinished.jsonl.
    std::filesystem::path folder = "artel-lab";
    bool fresh = false;  // do not go on with an interrupted run
    // may raise vm.nr_hugepages for the time of the run.
    bool reserve = true;
    bool list_only = false;  // print the cells and stop
    // No cell is begun later than this after the start; the report then has what was measured, and
    // the same run can be continued.
    std::optional<std::chrono::seconds> stop_after;
};

// Prints progress on stderr, tables and summary on stdout. Returns the exit code: 0, or 1 when a
// check found a wrong result. Throws interrupted when stopped by a signal: finished cells are then
// kept in the folder, as they are when the time was up. Throws std::runtime_error when the folder
// cannot be written, std::invalid_argument when nothing is to be measured.
int run_lab(const run_options& options);

}  // namespace artel::lab
