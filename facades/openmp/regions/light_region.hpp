// Regions of native light threads. Member 0 of a region is its caller, and keeps its threadprivate
// and other thread-local data through barriers; a light thread, which may go on on another OS
// thread after one, would not. So a persona is the initial thread of such a region.
#pragma once

#include "foreign/persona_call.hpp"
#include "parallel.hpp"
#include "team/root.hpp"

namespace artel::openmp {

// Whether a region of the caller, which runs as `m`, is to be one of those. Units of streams are
// not concerned: what is known of a unit is known of its fiber.
inline bool wants_persona(const member& m) noexcept
{
    const root* const r = root_of(m);
    return r != nullptr && r->type == root::kind::native && foreign::may_move() &&
           sched::this_worker()->current->unit == nullptr;
}

// parallel() for such a caller. Switches.
void parallel_by_persona(const member& m, region_function function, void* data, unsigned threads,
                         team_setup setup, void* setup_argument, unsigned flags);

// Calls f(argument) as an initial thread with these settings, on a persona without one.
void call_as_initial_thread(const icv_set& icvs, void (*f)(void*), void* argument) noexcept;

}  // namespace artel::openmp
