// The monitor's memory of a worker, and its judgement. Used by the monitor's thread only.
#pragma once

#include "sched/left_tasks.hpp"

#include <cstdint>

namespace artel::sched {

struct observation {
    // Whether the worker has computed or been blocked without a switch for so long that the light
    // threads in its queues need another one. `computes`: it has used its CPU all the time;
    // `quiet`: it has used none, and may be blocked. A worker without work is not stuck, however
    // long ago it switched: it is about to take what comes, and its time counts from then on.
    bool is_stuck(const worker& w, bool& computes, bool& quiet) noexcept;

    // The CPU time that a guest's thread has used since the last tick without being seen to take
    // part; 0 for other workers.
    std::uint64_t used_outside(const worker& w) noexcept;

    // Whether a reserve has rested for so long that its OS thread may end. Called once a second.
    bool has_rested_enough(const worker& w) noexcept;

    left_task left;

private:
    // At the last look that found a switch, or no work.
    std::uint64_t switches_ = 0;
    std::uint64_t wall_ = 0;
    std::uint64_t cpu_ = 0;
    std::uint64_t guest_cpu_ = 0;
    // Reserves: the count of switches when first seen at rest, and the seconds since.
    std::uint64_t switches_at_rest_ = 0;
    unsigned seconds_at_rest_ = 0;
};

// Whether the worker's OS thread is blocked in the kernel, as opposed to waiting for a CPU. Some 10
// us, hence only for workers that have used no CPU for a while.
bool is_blocked(const worker& w) noexcept;

left_task::decision look_at(left_task& seen, worker& w) noexcept;

}  // namespace artel::sched
