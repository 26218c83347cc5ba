// How often short calls of the main thread wake workers, and how often in vain.
//
// usage: wakeups CONSTRUCT CALLS [PERIOD_US [CALL_US]]
//
// Makes CALLS calls, each with CALL_US (50) microseconds of work in pieces of one, one every
// PERIOD_US (100; 0: one after the other), in between the main thread computes. Prints the
// microseconds per call (median), the CPU time of the process divided by that of the main thread
// (which waits for nothing, so on an idle machine that is the time that passed), the mean of the
// microseconds per call, and under
// ARTEL_STATS=1 the library its counts, which `run` puts into a table. CONSTRUCT: plain (no
// construct), loop, invoke, group, reduce, scan, region (OpenMP; run with the drop-in preloaded).
#include <algorithm>
#include <artel/artel.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

double microseconds_since(clock_type::time_point begin)
{
    return std::chrono::duration<double, std::micro>(clock_type::now() - begin).count();
}

[[gnu::noinline]] void compute(long rounds)
{
    for (long i = 0; i < rounds; ++i) {
        asm volatile("" : : "r"(i));
    }
}

// Rounds of compute() in a microsecond. By counting and not by the clock, so that a piece is as
// much work on a busy machine.
long rounds_per_microsecond()
{
    double best = 1e9;
    for (int i = 0; i < 50; ++i) {
        const auto begin = clock_type::now();
        compute(100000);
        best = std::min(best, microseconds_since(begin));
    }
    return static_cast<long>(100000 / best);
}

long piece = 0;

void work(long pieces)
{
    compute(piece * pieces);
}

void halves(long pieces)
{
    if (pieces <= 1) {
        work(pieces);
        return;
    }
    artel::parallel_invoke([=] { halves(pieces / 2); }, [=] { halves(pieces - pieces / 2); });
}

void halves_in_groups(long pieces)
{
    if (pieces <= 1) {
        work(pieces);
        return;
    }
    artel::task_group group;
    group.run([=] { halves_in_groups(pieces / 2); });
    halves_in_groups(pieces - pieces / 2);
    group.wait();
}

void call(const std::string& construct, long pieces)
{
    if (construct == "plain") {
        work(pieces);
    } else if (construct == "loop") {
        artel::parallel_for(0L, pieces, [](long) { work(1); });
    } else if (construct == "invoke") {
        halves(pieces);
    } else if (construct == "group") {
        halves_in_groups(pieces);
    } else if (construct == "reduce") {
        const long sum = artel::parallel_reduce(
            0L, pieces, 0L,
            [](long i) {
                work(1);
                return i;
            },
            std::plus<>{});
        if (sum != pieces * (pieces - 1) / 2) {
            std::abort();
        }
    } else if (construct == "scan") {
        artel::parallel_scan(
            artel::blocked_range<long>(0, pieces), 0L,
            [](const auto& range, long before, bool last) {
                if (last) {
                    work(range.end() - range.begin());
                }
                return before + range.end() - range.begin();
            },
            std::plus<>{});
    } else if (construct == "region") {
#pragma omp parallel for schedule(static)
        for (long i = 0; i < pieces; ++i) {
            work(1);
        }
    } else {
        std::fprintf(stderr, "wakeups: no construct %s\n", construct.c_str());
        std::exit(2);
    }
}

double cpu_microseconds(int whose)
{
    rusage usage{};
    ::getrusage(whose, &usage);
    const auto us = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
    };
    return us(usage.ru_utime) + us(usage.ru_stime);
}

}  // namespace

int main(int count, char** arguments)
{
    if (count < 3) {
        std::fprintf(stderr, "usage: wakeups CONSTRUCT CALLS [PERIOD_US [CALL_US]]\n");
        return 2;
    }
    const std::string construct = arguments[1];
    const long calls = std::atol(arguments[2]);
    const double period = count > 3 ? std::atof(arguments[3]) : 100;
    const long pieces = count > 4 ? std::atol(arguments[4]) : 50;
    piece = rounds_per_microsecond();
    call(construct, pieces);  // makes the crew
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(calls));
    const double cpu = cpu_microseconds(RUSAGE_SELF);
    const double own_cpu = cpu_microseconds(RUSAGE_THREAD);
    const auto begin = clock_type::now();
    for (long i = 0; i < calls; ++i) {
        const auto start = clock_type::now();
        call(construct, pieces);
        times.push_back(microseconds_since(start));
        while (microseconds_since(begin) < static_cast<double>(i + 1) * period) {
        }
    }
    const double used = cpu_microseconds(RUSAGE_SELF) - cpu;
    const double own = cpu_microseconds(RUSAGE_THREAD) - own_cpu;
    std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
    std::printf("%.2f %.3f %.2f\n", times[static_cast<std::size_t>(calls / 2)], used / own,
                std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(calls));
    return 0;
}
