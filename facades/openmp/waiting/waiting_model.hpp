// The wait queue, the counter of arrivals and the barrier on the real crew, for models. Included
// once, by the model, first.
#pragma once

#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "arrival_counter.cpp"
#include "attendance.hpp"
#include "barrier.cpp"
#include "wait_queue.cpp"
#include "wait_queue_open.cpp"

namespace artel::openmp {

// How members wait (pass_barrier in team_barrier.cpp, without tasks).
inline void wait_in(wait_queue& queue, std::uint64_t old, wake_reason other = {})
{
    while (!queue.opened(old) && !other.given()) {
        if (!queue.spin(old, rl::rand(2) != 0 ? 3000 : 0, other)) {
            queue.sleep_at_home(queue.lists(), old, other);
        }
    }
}

}  // namespace artel::openmp
