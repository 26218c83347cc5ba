// The number of tasks that may be queued before their maker runs further ones itself.
#pragma once

#include <atomic>
#include <cstddef>

namespace artel::openmp {

// Beyond this number of queued tasks, and 64 for each member of the team, the maker runs its next
// ones itself. So the queue stays in the cache, memory is bounded, and the others still have
// something to do while the maker runs a long task. KMP_ENABLE_TASK_THROTTLING turns the limit off.
// relaxed, all accesses: only a number, set when the settings are read.
[[gnu::visibility("hidden")]] extern constinit std::atomic<std::size_t> most_queued;

}  // namespace artel::openmp
