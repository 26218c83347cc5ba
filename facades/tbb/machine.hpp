// What the program may ask of the machine.
#pragma once

namespace artel::onetbb {

// Threads for arenas that are constrained so; -1: not.
int concurrency_of(int numa_id, int core_type, int max_threads_per_core) noexcept;

}  // namespace artel::onetbb
