// The lab's Alloc and Exchanges on a process_crew, with one worker and one index for each task, beside the same tasks as threads and as
// plain processes. Prints JSON lines {"workload", "how", "tasks", "seconds"}.
#include <artel/process_crew.hpp>

#include "lab/tasks.hpp"
#include "lab/workload.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using artel::lab::cell;

// Exchanges needs all its tasks at once: each worker holds one index, the grain being 1, until its ring is done.
double on_crew(artel::lab::workload& work, unsigned tasks)
{
    artel::process_crew crew({.workers = tasks, .tries = 1, .grain = 1});
    auto* const it = &work;                         // made before the crew, so it is in the workers' memory too
    crew.for_each(0, tasks, [](std::uint64_t) {});  // all workers are there
    const auto begin = std::chrono::steady_clock::now();
    const auto report = crew.for_each(0, tasks, [=](std::uint64_t task) { it->run(static_cast<unsigned>(task)); });
    const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - begin;
    return report.complete() ? duration.count() : -1;
}

double measure(const cell& c, bool crew)
{
    const auto& how = artel::lab::variant_named(c.variant);
    artel::lab::task_records records(c.tasks, 0);
    const auto work = artel::lab::make_workload(c, how, records);
    double seconds = 0;
    if (crew) {
        seconds = on_crew(*work, c.tasks);
    } else {
        const auto begin = std::chrono::steady_clock::now();
        if (!artel::lab::run_tasks(how.processes, c.tasks, c.affinity, [&](unsigned task) { work->run(task); }).empty())
            return -1;
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    const auto wrong = work->check();
    if (!wrong.empty())
        std::fprintf(stderr, "%s\n", wrong.c_str());
    return wrong.empty() ? seconds : -1;
}

}  // namespace

int main(int argc, char** argv)
{
    const unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 3;
    for (const char* workload : {"alloc", "exchanges"})
        for (const unsigned tasks : {2u, 8u, 64u})
            for (const auto& [name, variant, crew] :
                 {std::tuple{"threads", "T", false}, std::tuple{"processes", "P", false}, std::tuple{"process_crew", "P", true}}) {
                cell c;
                c.workload = workload;
                c.variant = variant;
                c.tasks = tasks;
                c.size = *workload == 'a' ? 1u << 18 : 1u << 13;
                c.width = 1u << 10;
                c.affinity = "none";
                double least = 1e300;
                for (unsigned i = 0; i < rounds; ++i)
                    least = std::min(least, measure(c, crew));
                std::printf("{\"workload\": \"%s\", \"how\": \"%s\", \"tasks\": %u, \"seconds\": %.4f}\n", workload, name, tasks,
                            least);
                std::fflush(stdout);
            }
    return 0;
}
