// How long short regions, loops and tasks take while other programs use the CPUs.
//
// usage: busy CONSTRUCT CALLS MEMBERS [PERIOD_US [MEMBER_US]]
//
// Makes CALLS calls, each of which has MEMBERS pieces of MEMBER_US (50) microseconds of work, one
// every PERIOD_US (100) after the end of the last one. In between the main thread sleeps (a
// negative PERIOD_US: computes for as long). Prints the microseconds per call by the wall: minimum,
// median, mean, 90 % and 99 %, the largest; then the CPU time of the process for each call.
// CONSTRUCT: plain (one after the other), region (OpenMP), loop, invoke, group, scan (of 50 MEMBERS
// elements, each a fiftieth of a piece), left (a task whose maker checks every 100 us whether it
// has ended, before it waits for it; only the first one of a process is of interest).
#include <algorithm>
#include <artel/artel.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <sys/resource.h>
#include <thread>
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
double rounds_per_microsecond()
{
    double best = 1e9;
    for (int i = 0; i < 200; ++i) {
        const auto begin = clock_type::now();
        compute(50000);
        best = std::min(best, microseconds_since(begin));
    }
    return 50000 / best;
}

long piece = 0;

void halves(int pieces)
{
    if (pieces <= 1) {
        compute(piece);
        return;
    }
    artel::parallel_invoke([=] { halves(pieces / 2); }, [=] { halves(pieces - pieces / 2); });
}

void call(const std::string& construct, int members)
{
    if (construct == "plain") {
        for (int i = 0; i < members; ++i) {
            compute(piece);
        }
    } else if (construct == "region") {
#pragma omp parallel num_threads(members)
        compute(piece);
    } else if (construct == "loop") {
        artel::parallel_for(0, members, [](int) { compute(piece); });
    } else if (construct == "invoke") {
        halves(members);
    } else if (construct == "group") {
        artel::task_group group;
        for (int i = 1; i < members; ++i) {
            group.run([] { compute(piece); });
        }
        compute(piece);
        group.wait();
    } else if (construct == "scan") {
        artel::parallel_scan(
            artel::blocked_range<int>(0, 50 * members), 0,
            [](const auto& range, int before, bool) {
                for (int i = range.begin(); i != range.end(); ++i) {
                    compute(piece / 50);
                }
                return before + range.end() - range.begin();
            },
            std::plus<>{});
    } else if (construct == "left") {
        std::atomic<bool> over{false};
        artel::task_group group;
        group.run([&] {
            compute(piece);
            over = true;
        });
        while (!over) {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        group.wait();
    } else {
        std::fprintf(stderr, "busy: no construct %s\n", construct.c_str());
        std::exit(2);
    }
}

double cpu_microseconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto us = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
    };
    return us(usage.ru_utime) + us(usage.ru_stime);
}

}  // namespace

int main(int count, char** arguments)
{
    if (count < 4) {
        std::fprintf(stderr, "usage: busy CONSTRUCT CALLS MEMBERS [PERIOD_US [MEMBER_US]]\n");
        return 2;
    }
    const std::string construct = arguments[1];
    const long calls = std::atol(arguments[2]);
    const int members = std::atoi(arguments[3]);
    const double period = count > 4 ? std::atof(arguments[4]) : 100;
    const double length = count > 5 ? std::atof(arguments[5]) : 50;
    const double speed = rounds_per_microsecond();
    piece = static_cast<long>(length * speed);
    // Makes the threads; but who has once let a task lie is not waited for the next time.
    call(construct == "left" ? "group" : construct, members);
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(calls));
    const double cpu = cpu_microseconds();
    for (long i = 0; i < calls; ++i) {
        const auto start = clock_type::now();
        call(construct, members);
        times.push_back(microseconds_since(start));
        if (period > 0) {
            std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(period));
        } else {
            compute(static_cast<long>(-period * speed));
        }
    }
    const double used = cpu_microseconds() - cpu;
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::printf("%.1f %.1f %.1f %.1f %.1f %.1f %.1f\n", at(0), at(0.5),
                std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(calls),
                at(0.9), at(0.99), at(1), used / static_cast<double>(calls));
    return 0;
}
