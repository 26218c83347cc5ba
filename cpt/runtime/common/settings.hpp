// The environment variables of OpenMP and of cpt, which are read once, when the library is loaded.
// A value of a cpt variable that is not allowed ends the program, with a message that says what is
// allowed.
#pragma once

#include "icv.hpp"

#include <string>
#include <vector>

namespace cp {

struct thread;

struct settings_of_process {
    icvs first;                     // control variables of the program's first task
    std::vector<unsigned> threads;  // OMP_NUM_THREADS, by level; empty: as many as streams
    unsigned streams = 1;           // CP_NUM_STREAMS
    std::vector<unsigned> nodes;    // CP_NUMAS; empty: all
    bool bind = false;              // CP_STREAM_BIND
    unsigned long stack = 0;        // CP_STACK_SIZE, else OMP_STACKSIZE, else ulimit -s
    unsigned partitioner = 0;       // CP_PARTITIONER_KIND
    bool gang = false;              // CP_GANG
    bool cancellation = false;
    unsigned teams = 0, teams_thread_limit = 0;
    int max_priority = 0;
    int proc_bind = 0;
    std::string affinity_format;
    bool display_affinity = false;
    int display_env = 0;  // 1 true, 2 verbose
};

settings_of_process& settings();
unsigned streams();
unsigned threads_of_next_region(const icvs& c, unsigned level);
bool is_first_os_thread();
[[noreturn]] void fail(const std::string& why);

// Called by a member that has checked in vain for something that another member does: lets others
// run first.
void step_aside(thread& me);

// Gang scheduling (CP_GANG=1): each member of a team has a stream, which it holds until the region
// ends; with too few free streams the team is smaller.
class gang {
public:
    explicit gang(unsigned asked);
    ~gang();
    gang(const gang&) = delete;
    gang& operator=(const gang&) = delete;
    const unsigned size;
};

void display_environment(bool verbose);

}  // namespace cp
