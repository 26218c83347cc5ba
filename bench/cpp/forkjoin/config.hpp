// config.hpp — spawn + join, by naive Fibonacci: one branch is spawned, the other is called, then
// they are joined. No cut-off, so nearly all the time is the runtime's. The figure is wall time per
// spawn with all workers busy.
//
// A competitor is a class with
//     explicit Competitor(int workers);
//     long fib(int n);
//     static const char* symbol();
// The constructor starts the pool. fib() is called from main() and blocks until the recursion is
// done. symbol() names an exported function of the runtime's library; "" for a library of headers
// only.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../../measure/measure.h"

namespace artel::bench {

inline long serial_fib(int n)
{
    return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2);
}

// Calls of fib() that spawn: those with n >= 2.
inline long spawns_of(int n)
{
    return n < 2 ? 0 : 1 + spawns_of(n - 1) + spawns_of(n - 2);
}

template <class Competitor>
int forkjoin_main(int argc, char** argv)
{
    measure_options options;
    measure_parse(&options, argc, argv);
    const int size = options.size != 0 ? options.size : 30;

    struct context {
        Competitor competitor;
        int size;
        long expected;
    } run{Competitor(options.threads), size, serial_fib(size)};

    const auto body = [](long count, void* opaque) -> double {
        auto& self = *static_cast<context*>(opaque);
        const double start = measure_now();
        long result = 0;
        for (long i = 0; i < count; ++i)
            result = self.competitor.fib(self.size);
        const double took = measure_now() - start;
        if (result != self.expected) {
            std::fprintf(stderr, "forkjoin: fib(%d) gave %ld, not %ld\n", self.size, result,
                         self.expected);
            std::exit(1);
        }
        return took;
    };
    char extra[600];
    std::snprintf(extra, sizeof extra, ",\"library\":\"%s\",\"size\":%d",
                  measure_library(Competitor::symbol()), size);
    measure_run("spawn", "ns", 1e9 / static_cast<double>(spawns_of(size)), &options, body, &run,
                extra);
    return 0;
}

}  // namespace artel::bench
