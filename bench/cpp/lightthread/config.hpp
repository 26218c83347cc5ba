// config.hpp — light threads: create + join one at a time, create a batch then join it, and a
// switch between two that yield to each other. All on as many workers as --threads says (1 shows
// the bare cost).
//
// A competitor is a class with
//     explicit Competitor(int workers);
//     void create_join(long count);    // one after another
//     void create_batch(long count);   // `count` at once, then all joined
//     void yields(long count);         // two light threads, `count` switches between them in all
//     static const char* symbol();
// and constants `creates` (bool) and `switches` (the measure's name, nullptr for none) that say
// what it can do.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../../measure/measure.h"

namespace artel::bench {

template <class Competitor>
int lightthread_main(int argc, char** argv)
{
    measure_options options;
    measure_parse(&options, argc, argv);
    Competitor competitor(options.threads);
    char extra[600];
    std::snprintf(extra, sizeof extra, ",\"library\":\"%s\"",
                  measure_library(Competitor::symbol()));

    constexpr long batch = 256;
    if constexpr (Competitor::creates) {
        const auto one = [](long count, void* self) -> double {
            const double start = measure_now();
            static_cast<Competitor*>(self)->create_join(count);
            return measure_now() - start;
        };
        measure_run("create-join", "ns", 1e9, &options, one, &competitor, extra);
        const auto many = [](long count, void* self) -> double {
            const double start = measure_now();
            for (long i = 0; i < count; ++i)
                static_cast<Competitor*>(self)->create_batch(batch);
            return measure_now() - start;
        };
        measure_run("create-join-256", "ns", 1e9 / batch, &options, many, &competitor, extra);
    }
    if constexpr (Competitor::switches != nullptr) {
        if (options.threads > 1)
            return 0;  // two light threads that run on different workers do not switch to each
                       // other
        const auto switches = [](long count, void* self) -> double {
            const double start = measure_now();
            static_cast<Competitor*>(self)->yields(count * 1000);
            return measure_now() - start;
        };
        measure_run(Competitor::switches, "ns", 1e9 / 1000, &options, switches, &competitor, extra);
    }
    return 0;
}

}  // namespace artel::bench
