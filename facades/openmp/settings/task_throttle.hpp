// How many tasks may be queued before their creator runs further ones itself.
#pragma once

#include <atomic>
#include <cstddef>

namespace artel::openmp {

// More queued tasks than this, and than 64 for each member of the team, and the creator runs its
// next ones itself: the queue stays in the cache, and memory bounded; while it runs a long one the
// others have something to do. KMP_ENABLE_TASK_THROTTLING turns that off. relaxed, all accesses: a
// number by itself, set when the settings are read.
[[gnu::visibility("hidden")]] extern constinit std::atomic<std::size_t> most_queued;

}  // namespace artel::openmp
