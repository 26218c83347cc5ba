// ICVs of device scope that programs may change at run time: league size, thread limit of teams,
// affinity format.
#pragma once

#include "foreign/fork_safe_lock.hpp"
#include "icv.hpp"

#include <atomic>
#include <string>

namespace artel::openmp {

struct settings {
    std::atomic<unsigned> num_teams{0};           // nteams-var; 0 = not set
    std::atomic<unsigned> teams_thread_limit{0};  // teams-thread-limit-var; 0 = not set
    std::atomic<offload_policy> offload{offload_policy::by_default};
    static foreign::fork_safe_lock format_lock;
    std::string affinity_format;  // affinity-format-var, under format_lock
};

// Made from the environment at the first call. Any thread.
settings& device_settings() noexcept;

}  // namespace artel::openmp
