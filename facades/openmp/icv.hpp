// Internal control variables (OpenMP 5.1, 2.4). The data-environment ICVs travel with tasks; the global ones are read once from the
// environment. Parsing lives in env.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::openmp {

enum class schedule_kind : std::uint8_t { static_ = 1, dynamic = 2, guided = 3, automatic = 4 };  // omp_sched_t values

// Data-environment ICVs: one copy per task, inherited at task creation.
struct icv_set {
    unsigned nthreads = 1;  // nthreads-var: team size of the next region without a clause; what omp_get_max_threads reports
    bool dynamic = false;   // dyn-var
    schedule_kind run_schedule = schedule_kind::dynamic;  // run-sched-var: schedule(runtime)
    bool run_monotonic = false;
    int run_chunk = 1;
    unsigned max_active_levels = 0x7fffffff;  // max-active-levels-var
    unsigned thread_limit = 0x7fffffff;       // thread-limit-var
    int default_device = 0;
};

// Device-wide ICVs and settings, fixed at start.
struct global_icvs {
    icv_set initial;                       // of the initial implicit task
    std::vector<unsigned> nthreads_list;   // OMP_NUM_THREADS=a,b,c: levels 0,1,2; may be empty
    std::size_t stack_size = 0;            // OMP_STACKSIZE in bytes; 0 = system default
    bool wait_active = false;              // OMP_WAIT_POLICY=active
    bool wait_passive = false;             // OMP_WAIT_POLICY=passive
    bool cancellation = false;             // OMP_CANCELLATION
    int max_task_priority = 0;             // OMP_MAX_TASK_PRIORITY
    unsigned num_procs = 1;                // omp_get_num_procs: CPUs of the inherited mask
    bool nthreads_from_user = false;       // OMP_NUM_THREADS was set
    bool display_env = false;
    bool display_affinity = false;
    std::vector<int> proc_bind;            // OMP_PROC_BIND list (omp_proc_bind_t values), may be empty
};

// Read on first use; any thread.
const global_icvs& globals() noexcept;

}  // namespace artel::openmp
