// The KMP_ and LIBOMP_ variables. They count when the process asks for libomp or Intel's runtime
// (dialect.hpp); in programs of gcc alone they have no meaning. Those that describe libomp's own
// machinery (its locks, barriers, buffers) are checked and shown, and change nothing.
#pragma once

#include "settings/place_position.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace artel::openmp {

// KMP_AFFINITY, and KMP_HIDDEN_HELPER_AFFINITY.
struct kmp_affinity {
    enum class kind : std::uint8_t { unset, none, disabled, compact, scatter, balanced, explicit_ };
    kind type = kind::unset;
    bool verbose = false;
    bool warnings = true;
    bool respect = true;
    bool reset = false;
    std::string granularity = "core";
    std::string list;  // `explicit`: the CPUs, without brackets
    unsigned permute = 0;
    unsigned offset = 0;

    bool binds() const noexcept { return type >= kind::compact; }
    // The value as the displays show it.
    std::string text() const;
    // The places of this setting on this machine; may be empty for an explicit list.
    std::vector<std::vector<unsigned>> places() const;
};

struct kmp_settings {
    bool display = false;                    // KMP_SETTINGS
    bool version = false;                    // KMP_VERSION
    std::optional<std::uint64_t> blocktime;  // KMP_BLOCKTIME, us; UINT64_MAX: infinite
    std::optional<std::size_t> stack_size;   // KMP_STACKSIZE
    // KMP_DEVICE_THREAD_LIMIT (KMP_ALL_THREADS); 0: not given.
    unsigned thread_limit = 0;
    unsigned teams_limit = 0;              // KMP_TEAMS_THREAD_LIMIT; 0: not given
    int teams_bind = bind_spread;          // KMP_TEAMS_PROC_BIND
    int library = 2;                       // KMP_LIBRARY: 1 serial, 2 throughput, 3 turnaround
    unsigned buffers = 7;                  // KMP_DISP_NUM_BUFFERS
    bool throttling = true;                // KMP_ENABLE_TASK_THROTTLING
    std::uint64_t taskloop_min_tasks = 0;  // KMP_TASKLOOP_MIN_TASKS
    // KMP_INHERIT_FP_CONTROL: regions of clang's code share the floating-point control of the
    // thread that meets them.
    bool inherits_fp_control = true;
    bool deterministic_reduction = false;  // KMP_DETERMINISTIC_REDUCTION
    bool helper_tasks = true;              // LIBOMP_USE_HIDDEN_HELPER_TASK
    unsigned helpers = 8;                  // LIBOMP_NUM_HIDDEN_HELPER_THREADS; plus one when given
    kmp_affinity affinity;
    kmp_affinity helper_affinity;
};

// Reads the variables and warns of malformed ones.
kmp_settings read_kmp_settings(std::size_t default_stack);

// Parses KMP_AFFINITY's value; parts that are not understood only get warnings.
kmp_affinity parse_kmp_affinity(const char* variable_name, const std::string& text);

}  // namespace artel::openmp
