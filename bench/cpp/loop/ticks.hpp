// ticks.hpp — a clock cheap enough to stamp events 100 ns apart: the time stamp counter on x86,
// clock_gettime elsewhere. The counters of different CPUs are assumed to be synchronous, as the
// kernel requires before it uses them itself.
#pragma once

#include <cstdint>

#include "../../measure/measure.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace artel::bench {

using ticks = std::int64_t;

// Any thread; does not order memory accesses.
inline ticks read_ticks()
{
#if defined(__x86_64__)
    return static_cast<ticks>(__rdtsc());
#else
    return static_cast<ticks>(measure_now() * 1e9);
#endif
}

// Measured once against the monotonic clock; the first call takes 50 ms.
inline double ticks_per_second()
{
    static const double rate = [] {
        const double start = measure_now();
        const ticks first = read_ticks();
        double now = start;
        while ((now = measure_now()) - start < 0.05) {
        }
        return static_cast<double>(read_ticks() - first) / (now - start);
    }();
    return rate;
}

}  // namespace artel::bench
