// Scheduling time: from the call of a loop with as many iterations as workers to the first
// iteration on each of them. Iterations wait for each other (20 ms at most), so that no worker runs
// two. Prints a time for each worker, in the order in which they started: "size" 1 is the first.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "../../cpp/loop/ticks.hpp"
#include "../session.hpp"

namespace artel::bench {

template <class Competitor>
void run_scheduling(const session& s, Competitor& competitor)
{
    struct alignas(128) stamp {
        ticks value;
    };
    const long threads = s.threads();
    const bool oversubscribed = s.oversubscribed();
    const double rate = ticks_per_second();
    const auto deadline = static_cast<ticks>(0.02 * rate);
    std::vector<stamp> stamps(static_cast<std::size_t>(threads));
    std::vector<std::vector<double>> found(stamps.size());
    alignas(128) std::atomic<long> arrived{0};

    const double start = measure_now();
    const double seconds = s.options().seconds * 4;
    for (long turn = 0; measure_now() - start < seconds || turn < 20; ++turn) {
        arrived.store(0, std::memory_order_relaxed);  // relaxed: the loop's start publishes it
        const ticks call = read_ticks();
        competitor.each(threads, [&](long i) {
            const ticks now = read_ticks();
            stamps[static_cast<std::size_t>(i)].value = now;
            // relaxed: the loop's end publishes the stamps.
            arrived.fetch_add(1, std::memory_order_relaxed);
            // relaxed: only counted.
            while (arrived.load(std::memory_order_relaxed) < threads &&
                   read_ticks() - now < deadline)
                if (oversubscribed)
                    sched_yield();
        });
        // relaxed: all have been joined.
        s.verify(arrived.load(std::memory_order_relaxed) == threads, "number of iterations");
        if (turn < 5)
            continue;
        std::sort(stamps.begin(), stamps.end(),
                  [](const stamp& a, const stamp& b) { return a.value < b.value; });
        for (std::size_t k = 0; k < stamps.size(); ++k)
            found[k].push_back(static_cast<double>(stamps[k].value - call) / rate * 1e9);
        if (measure_now() - start > 20 * seconds)
            break;
    }
    for (std::size_t k = 0; k < found.size(); ++k)
        s.print("scheduling", static_cast<long>(k + 1), "ns", found[k]);
}

}  // namespace artel::bench
