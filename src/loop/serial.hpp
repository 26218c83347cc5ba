// Loops, and parts of loops, that the caller runs alone: because there are no workers, because it
// is not worth asking, or because none would come.
#pragma once

#include "loop/loop.hpp"
#include "loop/site.hpp"

#include <artel/detail/free_workers.hpp>

namespace artel::loop {

inline std::uint64_t iterations_of(const request& r) noexcept
{
    return iterations_between(r.begin, r.end);
}

// Runs a loop on the caller alone: without workers or memory.
void run_serially(const request& r);

// Runs a loop that is expected to take less than `limit` cycles, as long as it does. Returns the
// end of what is left: r.begin, unless the loop turns out to be long. An exception of the body
// propagates.
std::int64_t run_while_short(const request& r, site& memory, std::uint64_t limit);

// <artel/detail/short_loop.hpp>, for any kind of call site.
const artel::detail::free_workers* short_loop(site_key from, std::uint64_t iterations) noexcept;

// Runs the part of a loop that needs no other participants, for loops without limits and without a
// chosen algorithm: in a crew without free workers, as much as can be run before one becomes free.
// `begin` < `end` - 1. Returns the beginning of what is left: `end` when nothing is. An exception
// of the body propagates. For the entries of C++ and C, which do nothing else for most short loops.
std::int64_t run_unshared(std::int64_t begin, std::int64_t end, std::int64_t grain, range_body body,
                          void* context, site_key from);

}  // namespace artel::loop
