// OMP_DISPLAY_ENV: the settings in force, on standard error.
#include "default_allocator.hpp"
#include "light.hpp"
#include "schedule.hpp"
#include "settings.hpp"

#include <cstdio>
#include <string>

namespace cp {

void display_environment(bool verbose)
{
    const settings_of_process& s = settings();
    std::string threads;
    for (const unsigned n : s.threads) {
        threads += (threads.empty() ? "" : ",") + std::to_string(n);
    }
    std::fprintf(stderr,
                 "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202011'\n  OMP_DYNAMIC = '%s'\n"
                 "  OMP_NUM_THREADS = '%s'\n  OMP_SCHEDULE = '%s'\n  OMP_CANCELLATION = '%s'\n"
                 "  OMP_MAX_ACTIVE_LEVELS = '%u'\n  OMP_THREAD_LIMIT = '%u'\n"
                 "  OMP_MAX_TASK_PRIORITY = '%d'\n  OMP_NUM_TEAMS = '%u'\n"
                 "  OMP_TEAMS_THREAD_LIMIT = '%u'\n  OMP_DISPLAY_AFFINITY = '%s'\n"
                 "  OMP_AFFINITY_FORMAT = '%s'\n  OMP_ALLOCATOR = '%s'\n",
                 s.first.dynamic ? "TRUE" : "FALSE",
                 threads.empty() ? std::to_string(s.streams).c_str() : threads.c_str(),
                 name_of_schedule(s.first).c_str(), s.cancellation ? "TRUE" : "FALSE",
                 s.first.max_levels, s.first.thread_limit, s.max_priority, s.teams,
                 s.teams_thread_limit, s.display_affinity ? "TRUE" : "FALSE",
                 s.affinity_format.c_str(), name_of_allocator(s.first.allocator).c_str());
    if (verbose) {
        std::fprintf(stderr,
                     "  CP_RUNTIME = '%s'\n  CP_NUM_STREAMS = '%u'\n  CP_STREAM_BIND = '%d'\n"
                     "  CP_STACK_SIZE = '%lu'\n  CP_GANG = '%d'\n",
                     light::name, s.streams, s.bind ? 1 : 0, s.stack, s.gang ? 1 : 0);
    }
    std::fprintf(stderr, "OPENMP DISPLAY ENVIRONMENT END\n");
}

}  // namespace cp
