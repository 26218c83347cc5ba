// config.hpp — how soon all workers are at work: a loop with one iteration per worker, and the time
// from the call until the last worker has begun its iteration. Iterations wait for each other (at
// most until a deadline), so that no worker runs two of them. With --idle-us the workers have
// nothing to do for that long before each loop.
//
// With --what idle the program instead starts the crew, sleeps, and reports the CPU it used.
//
// A competitor is a class with
//     explicit Competitor(int workers);
//     template <class F> void within(F f);
//     template <class F> void each(const F& f);
//     static const char* symbol();
// The calling thread is one of the workers where the runtime allows it. within() runs f where loops
// are to be started from, in or outside a pool. each() calls f(0) to f(workers - 1) in parallel and
// returns when all are done. symbol() names an exported function of the runtime's library; "" for a
// library of headers only.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../../measure/idle.h"
#include "ticks.hpp"

namespace artel::bench {

// The iterations of one loop wait here for each other.
class gate {
public:
    gate(int workers, bool oversubscribed)
        : stamps_(static_cast<std::size_t>(workers)), workers_(workers),
          oversubscribed_(oversubscribed), deadline_(static_cast<ticks>(0.02 * ticks_per_second()))
    {}

    // Before each loop, by the caller.
    void open()
    {
        // relaxed: the runtime's own fork publishes it to the workers.
        arrived_.store(0, std::memory_order_relaxed);
    }

    // By iteration `index`: notes the time, then waits for the others.
    void arrive(int index)
    {
        const ticks now = read_ticks();
        stamps_[static_cast<std::size_t>(index)].value = now;
        // release: pairs with the acquire below; a thread that sees all arrived may read all
        // stamps.
        arrived_.fetch_add(1, std::memory_order_release);
        // acquire: pairs with the release above.
        while (arrived_.load(std::memory_order_acquire) < workers_) {
            if (read_ticks() - now > deadline_)
                return;
            if (oversubscribed_)
                sched_yield();
        }
    }

    // The last start after `call`; by the caller when the loop has returned.
    ticks last_start(ticks call) const
    {
        ticks last = 0;
        for (const stamp& each : stamps_)
            if (each.value - call > last)
                last = each.value - call;
        return last;
    }

    // True when a start took so long that some iterations gave up waiting.
    bool missed(ticks took) const { return took > deadline_; }

private:
    struct alignas(128) stamp {
        ticks value = 0;
    };
    std::vector<stamp> stamps_;
    const int workers_;
    const bool oversubscribed_;
    const ticks deadline_;
    alignas(128) std::atomic<int> arrived_{0};
};

inline void wait_us(int microseconds)
{
    const double start = measure_now();
    while ((measure_now() - start) * 1e6 < microseconds) {
    }
}

template <class Competitor>
int loop_main(int argc, char** argv)
{
    measure_options options;
    measure_parse(&options, argc, argv);
    Competitor competitor(options.threads);
    char extra[600];

    competitor.within([&] {
        gate meeting(options.threads, options.threads > measure_cpus());
        const auto once = [&] {
            meeting.open();
            const ticks call = read_ticks();
            competitor.each([&](int index) { meeting.arrive(index); });
            return meeting.last_start(call);
        };
        for (int i = 0; i < 100; ++i)
            once();
        if (!std::strcmp(options.what, "idle"))
            return;

        std::vector<double> values;
        long missed = 0;
        const double start = measure_now();
        for (;;) {
            if (options.idle_us > 0)
                wait_us(options.idle_us);
            const ticks took = once();
            if (meeting.missed(took))
                ++missed;
            values.push_back(static_cast<double>(took) / ticks_per_second() * 1e9);
            const double elapsed = measure_now() - start;
            if (elapsed >= options.max_seconds || values.size() >= 1000000)
                break;
            if (elapsed >= options.seconds &&
                static_cast<int>(values.size()) >= options.min_samples)
                break;
        }
        std::snprintf(extra, sizeof extra, ",\"library\":\"%s\",\"missed\":%ld",
                      measure_library(Competitor::symbol()), missed);
        measure_print(options.idle_us > 0 ? "loop-start-idle" : "loop-start", "ns", &options,
                      values.data(), static_cast<long>(values.size()), 1, extra);
    });
    if (!std::strcmp(options.what, "idle")) {
        std::snprintf(extra, sizeof extra, ",\"library\":\"%s\"",
                      measure_library(Competitor::symbol()));
        idle_print(&options, extra);
    }
    return 0;
}

}  // namespace artel::bench
