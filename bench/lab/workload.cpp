// The lab's Alloc or Exchanges, --what WORKLOAD:HOW with HOW threads, processes or process_crew;
// --threads is the number of tasks. On a crew each task is one index, and there is a worker for
// each, as Exchanges needs all its tasks at once. Workers are made before the measured time, as in
// a program that uses a crew for more than one loop; threads and processes are made within it, as
// the lab measures them.
#include "measure/measure.h"

#include <artel/process_crew.hpp>

#include "lab/tasks.hpp"
#include "lab/workload.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

using artel::lab::cell;

struct wanted {
    cell what;
    std::string how;
};

[[noreturn]] void die(const std::string& text)
{
    std::fprintf(stderr, "%s\n", text.c_str());
    std::exit(1);
}

double run_once(const wanted& w)
{
    const auto& how = artel::lab::variant_named(w.what.variant);
    artel::lab::task_records records(w.what.tasks, 0);
    const auto work = artel::lab::make_workload(w.what, how, records);
    double begin = 0, end = 0;
    if (w.how == "process_crew") {
        // Made after the workload, so that it is in the workers' memory too.
        artel::process_crew crew({.workers = w.what.tasks, .tries = 1, .grain = 1});
        auto* const it = work.get();
        crew.for_each(0, w.what.tasks, [](std::uint64_t) {});
        begin = measure_now();
        const auto report = crew.for_each(
            0, w.what.tasks, [=](std::uint64_t task) { it->run(static_cast<unsigned>(task)); });
        end = measure_now();
        if (!report.complete())
            die("the crew gave up");
    } else {
        begin = measure_now();
        const auto refusal = artel::lab::run_tasks(how.processes, w.what.tasks, "none",
                                                   [&](unsigned task) { work->run(task); });
        end = measure_now();
        if (!refusal.empty())
            die(refusal);
    }
    if (const auto wrong = work->check(); !wrong.empty())
        die(wrong);
    return end - begin;
}

double run_many(long count, void* context)
{
    double sum = 0;
    for (long i = 0; i < count; ++i)
        sum += run_once(*static_cast<wanted*>(context));
    return sum;
}

}  // namespace

int main(int argc, char** argv)
{
    measure_options options;
    measure_parse(&options, argc, argv);
    const std::string what = options.what;
    wanted w;
    w.what.workload = what.substr(0, what.find(':'));
    w.how = what.substr(what.find(':') + 1);
    if ((w.what.workload != "alloc" && w.what.workload != "exchanges") ||
        (w.how != "threads" && w.how != "processes" && w.how != "process_crew"))
        die("usage: lab-workload --what alloc|exchanges:threads|processes|process_crew "
            "[--threads TASKS]");
    w.what.variant = w.how == "threads" ? "T" : "P";
    w.what.tasks = static_cast<unsigned>(options.threads);
    w.what.size = w.what.workload == "alloc" ? 1u << 17 : 1u << 12;
    w.what.width = 1u << 10;
    measure_run("time", "ms", 1e3, &options, run_many, &w, "");
    return 0;
}
