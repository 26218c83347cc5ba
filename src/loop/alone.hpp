// Loops, and parts of loops, that the caller runs by itself: because there is nobody else, because it is not worth asking, or because nobody would come.
#pragma once

#include "loop/loop.hpp"
#include "loop/site.hpp"

namespace artel::loop {

inline std::uint64_t iterations_of(const request& r) noexcept
{
    return static_cast<std::uint64_t>(r.end) - static_cast<std::uint64_t>(r.begin);
}

// Runs a loop on the caller alone: without workers or memory.
void run_alone(const request& r);

// Runs a loop that is expected to take less than `limit` cycles, as long as it is as short as that. Returns the end of what is left: r.begin, unless the
// loop turns out to be long. An exception of the body goes through.
std::int64_t run_while_short(const request& r, site& place, std::uint64_t limit);

// Runs a loop in a crew that has nobody to spare until it is done or some worker has nothing to do; begins only if it is known what iterations cost, if
// nobody came when somebody could last time (who has just become free is not seen at once), and if there are more of them than workers: few may be meant to
// meet each other, whatever parallel_for promises. For loops without limits and without a chosen
// algorithm. Returns the beginning of what is left: r.end when nothing is. An exception of the body goes through.
std::int64_t run_while_all_are_busy(std::int64_t begin, std::int64_t end, std::int64_t grain, range_body body, void* context);

}  // namespace artel::loop
