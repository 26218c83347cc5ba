// Queries of the program about the machine.
#pragma once

namespace artel::onetbb {

// How many threads an arena with these constraints has; -1: not constrained.
int concurrency_of(int numa_id, int core_type, int max_threads_per_core) noexcept;

}  // namespace artel::onetbb
