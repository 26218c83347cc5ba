// What the program asks of an arena (arena.hpp) when it makes one.
#pragma once

namespace artel::onetbb {

struct arena_shape {
    int max_concurrency = 1;
    unsigned reserved = 1;
    int priority = 0;
    int numa_id = -1;
    int core_type = -1;
    int max_threads_per_core = -1;
    unsigned spare = 0;  // additional slots and workers that are hidden from the program
};

}  // namespace artel::onetbb
