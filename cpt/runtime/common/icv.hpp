// The control variables that every task has of its own and hands on to those it makes.
#pragma once

namespace cp {

struct icvs {
    unsigned threads = 0;  // for the next region; 0: as OMP_NUM_THREADS says for its level
    bool dynamic = false;
    int schedule = 2;  // numbered as in cp.h
    unsigned long long chunk = 1;
    unsigned max_levels = 255;
    unsigned thread_limit = 0x7fffffff;
    int device = 0;
    unsigned long allocator = 1;
};

}  // namespace cp
