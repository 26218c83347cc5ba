// SPMV, balanced, while an unrelated process spins on the first CPU: a share that is assigned in
// advance then takes twice as long there. Sizes are widths. A sample is the time per loop in a
// sequence of loops that lasts for some of the system's time slices: only some loops are
// interrupted by the end of a time slice, and a median over single loops would ignore their delay.
#pragma once

#include <csignal>
#include <memory>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../spmv/run.hpp"

namespace artel::bench {

// To be made before the process has threads. A child that spins on the first CPU of this process's
// set; ends with this object, or with this process.
class spinner {
public:
    spinner()
    {
        child_ = fork();
        if (child_ != 0)
            return;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        cpu_set_t all;
        sched_getaffinity(0, sizeof all, &all);
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &all)) {
                cpu_set_t one;
                CPU_ZERO(&one);
                CPU_SET(cpu, &one);
                sched_setaffinity(0, sizeof one, &one);
                break;
            }
        for (;;)
            measure_work(1000);
    }
    ~spinner()
    {
        if (child_ > 0) {
            kill(child_, SIGKILL);
            waitpid(child_, nullptr, 0);
        }
    }
    spinner(const spinner&) = delete;
    spinner& operator=(const spinner&) = delete;

private:
    pid_t child_;
};

template <class Competitor>
void run_cotenant(const session& s, Competitor& competitor)
{
    for (const long width : s.sizes({32768}, {8192, 32768, 131072}, {8192, 32768, 131072})) {
        const std::unique_ptr<spmv, void (*)(spmv*)> problem(
            spmv_make(spmv_balanced, width, s.threads()), spmv_free);
        sample_spmv(s, competitor, problem.get(), "cotenant", width, 100L * 32768 / width);
    }
}

}  // namespace artel::bench
