// The internal control variables of a task, which its child tasks inherit.
#pragma once

namespace cp {

constexpr unsigned monotonic_schedule = 0x80000000;
constexpr int trapezoidal = 101;  // libomp's schedule; executed as guided

struct icvs {
    unsigned threads = 0;  // of the next region; 0: as OMP_NUM_THREADS says for its level
    bool dynamic = false;
    int schedule = 1;  // numbered as in cp.h, or trapezoidal; the highest bit: monotonic
    unsigned long long chunk = 0;
    unsigned max_levels = 255;
    unsigned thread_limit = 0x7fffffff;
    int device = 0;
    unsigned long allocator = 1;
};

}  // namespace cp
