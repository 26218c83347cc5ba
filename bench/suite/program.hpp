// main() of a competitor's program: which benchmarks there are, and the warm-up before each.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <optional>
#include <string_view>

#include "cotenant/run.hpp"
#include "fib/run.hpp"
#include "inner/run.hpp"
#include "mandelbrot/run.hpp"
#include "mmultiply/run.hpp"
#include "mtranspose/run.hpp"
#include "nbody/run.hpp"
#include "reduce/run.hpp"
#include "scan/run.hpp"
#include "scheduling/run.hpp"
#include "session.hpp"
#include "spmv/run.hpp"
#include "threads/run.hpp"
#include "tree/run.hpp"
#include "wavefront/run.hpp"

namespace artel::bench {

// Runtimes start their threads lazily. Iterations that wait for each other make them do it now; the
// wait is short, as a runtime may give several of them to one thread.
template <class Competitor>
void warm_up(Competitor& competitor, int threads)
{
    for (int turn = 0; turn < 5; ++turn) {
        std::atomic<int> started{0};
        competitor.each(threads, [&](long) {
            const double start = measure_now();
            // relaxed: only counted.
            started.fetch_add(1, std::memory_order_relaxed);
            // relaxed: only counted.
            while (started.load(std::memory_order_relaxed) < threads &&
                   measure_now() - start < 0.02)
                sched_yield();
        });
    }
}

template <class Competitor>
struct benchmark {
    std::string_view name;
    void (*run)(const session&, Competitor&);
};

template <class Competitor>
int suite_main(int argc, char** argv)
{
    static constexpr benchmark<Competitor> all[] = {
        {"spmv-balanced",
         [](const session& s, Competitor& c) { run_spmv(s, c, spmv_balanced, "spmv-balanced"); }},
        {"spmv-triangle",
         [](const session& s, Competitor& c) { run_spmv(s, c, spmv_triangle, "spmv-triangle"); }},
        {"spmv-hyperbolic",
         [](const session& s, Competitor& c) {
             run_spmv(s, c, spmv_hyperbolic, "spmv-hyperbolic");
         }},
        {"rows-alike",
         [](const session& s, Competitor& c) { run_rows(s, c, spmv_balanced, "rows-alike"); }},
        {"rows-falling",
         [](const session& s, Competitor& c) { run_rows(s, c, spmv_triangle, "rows-falling"); }},
        {"reduce", run_reduce<Competitor>},
        {"blocks", run_blocks<Competitor>},
        {"scan", run_scan<Competitor>},
        {"mmultiply", run_mmultiply<Competitor>},
        {"mtranspose", run_mtranspose<Competitor>},
        {"inner", run_inner<Competitor>},
        {"scheduling", run_scheduling<Competitor>},
        {"fib", run_fib<Competitor>},
        {"tree", run_tree<Competitor>},
        {"matrix", run_matrix<Competitor>},
        {"mandelbrot", run_mandelbrot<Competitor>},
        {"nbody", run_nbody<Competitor>},
        {"wavefront", run_wavefront<Competitor>},
        {"threads", run_threads<Competitor>},
        {"cotenant", run_cotenant<Competitor>},
    };
    const session asked(argc, argv, Competitor::symbol());
    const auto* const found = std::find_if(std::begin(all), std::end(all), [&](const auto& each) {
        return each.name == asked.options().what;
    });
    if (found == std::end(all)) {
        std::fprintf(stderr, "%s: --what must be one of:", argv[0]);
        for (const auto& each : all)
            std::fprintf(stderr, " %.*s", static_cast<int>(each.name.size()), each.name.data());
        std::fprintf(stderr, "\n");
        return 2;
    }
    std::optional<spinner> beside;  // forked before the runtime has threads
    if (found->name == "cotenant")
        beside.emplace();
    Competitor competitor(asked.threads(), asked.options().variant);
    const auto run = [&] {
        warm_up(competitor, asked.threads());
        found->run(asked, competitor);
    };
    // Loops from the program's own threads are not started from inside the runtime.
    if (found->name == "threads")
        run();
    else
        competitor.within(run);
    return 0;
}

// For competitors: the number of their variant in their list; ends the process when it is unknown.
template <std::size_t N>
int variant_number(std::string_view wanted, const std::string_view (&&names)[N])
{
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == wanted)
            return static_cast<int>(i);
    std::fprintf(stderr, "--variant must be one of:");
    for (const std::string_view name : names)
        std::fprintf(stderr, " %.*s", static_cast<int>(name.size()), name.data());
    std::fprintf(stderr, "\n");
    std::exit(2);
}

}  // namespace artel::bench
