// Regions of native light threads. Member 0 of a region is its caller and keeps its thread-local
// data, threadprivate variables included, through barriers. A light thread would not, as it may
// resume on another OS thread after a barrier. So such a region runs with a persona as its initial
// thread.
#pragma once

#include "foreign/persona_call.hpp"
#include "parallel.hpp"
#include "team/root.hpp"

#include <cstdint>

namespace artel::openmp {

// Whether a region of the caller, which runs as `m`, needs a persona. Units of streams do not: what
// is known of a unit belongs to its fiber.
inline bool wants_persona(const member& m) noexcept
{
    const root* const r = root_of(m);
    return r != nullptr && r->type == root::kind::native && foreign::may_move() &&
           sched::this_worker()->current->unit == nullptr;
}

// Calls open(argument), which has such a region, on a persona that is an initial thread with the
// settings of the caller, `m`. Switches.
void call_by_persona(const member& m, void (*open)(void*), void* argument);

// The same for a callable, which stays on the caller's stack.
template <class Region>
void by_persona(const member& m, Region region)
{
    call_by_persona(m, [](void* r) { (*static_cast<Region*>(r))(); }, &region);
}

// For a persona that runs a light thread's region as member 0: the id of the light thread's fiber.
// 0 for all other callers. Any thread.
std::uint64_t caller_of_light_region() noexcept;

// Calls f(argument) as an initial thread with these settings, on a persona that runs as no member.
void call_as_initial_thread(const icv_set& icvs, void (*f)(void*), void* argument) noexcept;

}  // namespace artel::openmp
