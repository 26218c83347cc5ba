// Internal control variables (OpenMP 5.1, 2.4). The data-environment ICVs travel with tasks; the
// global ones are read once from the environment (env.cpp) and never change, except what the
// omp_set_ functions of the device scope set (settings.hpp).
#pragma once

#include "settings/kmp/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace artel::openmp {

// The first four are omp_sched_t's values. `trapezoidal` is libomp's; `shared` is what the names of
// Artel's own algorithms mean (loop_shares.hpp).
enum class schedule_kind : std::uint8_t {
    static_ = 1,
    dynamic = 2,
    guided = 3,
    automatic = 4,
    trapezoidal = 5,
    shared = 6
};

// OMP_TARGET_OFFLOAD; the values are those of __kmpc_get_target_offload.
enum class offload_policy : std::uint8_t { disabled = 0, by_default = 1, mandatory = 2 };

// The maximum number of nested active regions, as omp_get_supported_active_levels reports it
// (libgomp's number).
inline constexpr unsigned supported_active_levels = 255;

inline constexpr unsigned no_thread_limit = 0xffffffff;

// Data-environment ICVs: one copy per task, inherited at task creation.
struct icv_set {
    // nthreads-var: team size of the next region without a clause; what omp_get_max_threads
    // reports.
    unsigned nthreads = 1;
    unsigned thread_limit = no_thread_limit;  // thread-limit-var
    // run-sched-var: chunk size; 0 = not given.
    int run_chunk = 1;
    int default_device = 0;  // default-device-var
    // omp_get_num_teams: the teams of the task's league
    unsigned teams = 1;
    unsigned team_number = 0;                              // omp_get_team_num
    unsigned max_active_levels = supported_active_levels;  // max-active-levels-var
    schedule_kind run_schedule = schedule_kind::dynamic;   // run-sched-var: schedule(runtime)
    bool run_monotonic = false;                            // with the monotonic modifier
    bool dynamic = false;                                  // dyn-var
    // neither the program nor the environment has set nthreads.
    bool nthreads_by_default = true;
    // bind-var, its first element (an omp_proc_bind_t).
    std::uint8_t bind = 0;
    // nthreads-var of nested levels: number of a list (team_sizes.hpp); 0: none.
    std::uint16_t sizes = 0;
    // The limit of a target region's clause, for each team in it, where the region is a task.
    unsigned target_limit = no_thread_limit;
    // def-allocator-var: an omp_allocator_handle_t.
    std::uintptr_t allocator = 1;

    // The most threads of a team of the task's.
    unsigned largest_team() const noexcept
    {
        return thread_limit < target_limit ? thread_limit : target_limit;
    }

    bool operator==(const icv_set&) const = default;
};

// Device-wide ICVs and settings, fixed after they were read.
struct global_icvs {
    icv_set initial;  // of the initial implicit task
    // OMP_NUM_THREADS=a,b,c: levels 0,1,2; may be empty.
    std::vector<unsigned> nthreads_list;
    // OMP_STACKSIZE in bytes; 0 = system default.
    std::size_t stack_size = 0;
    bool wait_active = false;   // OMP_WAIT_POLICY=active
    bool wait_passive = false;  // OMP_WAIT_POLICY=passive
    bool cancellation = false;  // OMP_CANCELLATION
    int max_task_priority = 0;  // OMP_MAX_TASK_PRIORITY
    // omp_get_num_procs: CPUs of the inherited mask.
    unsigned num_procs = 1;
    // the crew's width: ARTEL_NUM_THREADS or the effective CPUs.
    unsigned width = 1;
    bool display_affinity = false;                        // OMP_DISPLAY_AFFINITY
    offload_policy offload = offload_policy::by_default;  // OMP_TARGET_OFFLOAD
    // OMP_PROC_BIND list (omp_proc_bind_t values) by level, may be empty.
    std::vector<int> proc_bind;
    // OS indices of CPUs, place by place; empty = no binding asked for.
    std::vector<std::vector<unsigned>> places;
    bool binds() const noexcept { return !places.empty(); }
    unsigned num_teams = 0;           // OMP_NUM_TEAMS; 0 = not set
    unsigned teams_thread_limit = 0;  // OMP_TEAMS_THREAD_LIMIT; 0 = not set
    // OMP_AFFINITY_FORMAT; empty: that of the program's dialect.
    std::string affinity_format;
    // how long members spin, in us: GOMP_SPINCOUNT, KMP_BLOCKTIME; UINT64_MAX: for ever.
    std::optional<std::uint64_t> spin_limit;
    std::optional<std::uint64_t> spin_count;  // GOMP_SPINCOUNT
    std::size_t default_stack = 0;            // the system's
    kmp_settings kmp;                         // the KMP_ variables
    bool minds_places = false;                // members have places, or print their affinity
};

// Read on first use; any thread. Blocks only while another thread is in the first call, which also
// prints the warnings.
const global_icvs& globals() noexcept;

// The initial ICVs of a region's implicit tasks (2.4.4): `encountering` are the ICVs of the task
// that met the construct, `level` is the new region's omp_get_level, `team_size` its size. If
// nthreads-var was never set, a nested level gets the crew's width divided by the team size, so
// that by default nesting fills the machine exactly once. `bind_policy` is that of the region.
icv_set icvs_of_region(const icv_set& encountering, unsigned level, unsigned team_size,
                       int bind_policy) noexcept;

// Prints what OMP_DISPLAY_ENV asks for, at the first call. Any thread. bind_as_asked() comes first.
void display_environment_if_asked() noexcept;

// Prints the settings as OMP_DISPLAY_ENV (verbose: =VERBOSE) and omp_display_env ask for, in
// libgomp's layout.
void display_environment(bool verbose) noexcept;

}  // namespace artel::openmp
