// What the operations of oneTBB cost with the libtbb.so.12 that the program finds. Prints a line
// for each: name, median and minimum over rounds, in nanoseconds for each operation.
#include "operations.hpp"
#include "loop_operations.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <oneapi/tbb.h>
#include <random>
#include <thread>
#include <vector>

namespace {

long fib_by_invoke(int n)
{
    if (n < 2) {
        return n;
    }
    long a = 0;
    long b = 0;
    tbb::parallel_invoke([&] { a = fib_by_invoke(n - 1); }, [&] { b = fib_by_invoke(n - 2); });
    return a + b;
}

long fib_by_group(int n)
{
    if (n < 2) {
        return n;
    }
    long a = 0;
    tbb::task_group group;
    group.run([&] { a = fib_by_group(n - 1); });
    const long b = fib_by_group(n - 2);
    group.wait();
    return a + b;
}

void tasks()
{
    constexpr double spawns_22 = 28656;  // calls that spawn
    measure("parallel_invoke, fib 22, each", spawns_22,
            [] { return timed([] { fib_by_invoke(22); }); });
    measure("task_group, fib 22, each", spawns_22, [] { return timed([] { fib_by_group(22); }); });
    constexpr int n = 20000;
    measure("task_group, tasks of one maker, each", n, [] {
        return timed([] {
            tbb::task_group group;
            for (int i = 0; i < n; ++i) {
                group.run([] {});
            }
            group.wait();
        });
    });
    measure("enqueue and wait for it", 200, [] {
        tbb::task_arena arena;
        return timed([&] {
            for (int i = 0; i < 200; ++i) {
                std::atomic<bool> done{false};
                arena.enqueue([&] { done = true; });
                while (!done) {
                    std::this_thread::yield();
                }
            }
        });
    });
    measure("execute in another arena", 2000, [] {
        tbb::task_arena arena(2);
        return timed([&] {
            for (int i = 0; i < 2000; ++i) {
                arena.execute([] {});
            }
        });
    });
}

// A pipeline for so many tokens, with so many nanoseconds of work in the parallel filter in the
// middle.
void pipeline(const char* name, int tokens, int work)
{
    measure(name, tokens, [=] {
        return timed([=] {
            int next = 0;
            long sum = 0;
            tbb::parallel_pipeline(
                16, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                                [&](tbb::flow_control& control) {
                                                    if (next == tokens) {
                                                        control.stop();
                                                    }
                                                    return next++;
                                                }) &
                        tbb::make_filter<int, int>(tbb::filter_mode::parallel,
                                                   [=](int i) {
                                                       const double begin = work != 0 ? now() : 0;
                                                       while (work != 0 && now() - begin < work) {
                                                       }
                                                       return i * 2;
                                                   }) &
                        tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order,
                                                    [&](int i) { sum += i; }));
        });
    });
}

void algorithms()
{
    static std::vector<double> v(1000000, 1.5);
    measure("parallel_reduce, 1e6", 1, [] {
        return timed([] {
            const double sum = tbb::parallel_reduce(
                tbb::blocked_range<std::size_t>(0, v.size()), 0.0,
                [](const tbb::blocked_range<std::size_t>& r, double s) {
                    for (std::size_t i = r.begin(); i != r.end(); ++i) {
                        s += v[i];
                    }
                    return s;
                },
                std::plus<>());
            if (sum != 1.5e6) {
                std::abort();
            }
        });
    });
    static std::vector<double> sums(v.size());
    measure("parallel_scan, 1e6", 1, [] {
        return timed([] {
            tbb::parallel_scan(
                tbb::blocked_range<std::size_t>(0, v.size()), 0.0,
                [](const tbb::blocked_range<std::size_t>& r, double s, bool is_final) {
                    for (std::size_t i = r.begin(); i != r.end(); ++i) {
                        s += v[i];
                        if (is_final) {
                            sums[i] = s;
                        }
                    }
                    return s;
                },
                std::plus<>());
        });
    });
    static std::vector<int> unsorted(300000);
    std::mt19937 random(7);
    std::generate(unsorted.begin(), unsorted.end(), random);
    measure("parallel_sort, 3e5", 1, [] {
        std::vector<int> w = unsorted;
        return timed([&] { tbb::parallel_sort(w); });
    });
    measure("parallel_for_each, 20000 of a list", 1, [] {
        static std::vector<int> list(20000, 1);
        return timed([] { tbb::parallel_for_each(list.begin(), list.end(), [](int& i) { ++i; }); });
    });
    pipeline("parallel_pipeline, each of 20000 tokens", 20000, 0);
    pipeline("parallel_pipeline, each of 500 tokens of 10 us", 500, 10000);
    measure("flow graph, each of 50000 messages", 50000, [] {
        tbb::flow::graph graph;
        tbb::flow::function_node<int, int> twice(graph, tbb::flow::unlimited,
                                                 [](int i) { return 2 * i; });
        tbb::flow::function_node<int, int> once(graph, tbb::flow::serial, [](int i) { return i; });
        tbb::flow::make_edge(twice, once);
        return timed([&] {
            for (int i = 0; i < 50000; ++i) {
                twice.try_put(i);
            }
            graph.wait_for_all();
        });
    });
}

void after_a_pause()
{
    measure("loop of 2 after 5 ms of sleep", 1, [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        static std::atomic<int> here{0};
        here = 0;
        return timed([] {
            tbb::parallel_for(
                0, 2,
                [](int) {
                    ++here;
                    const double begin = now();
                    while (here < 2 && now() - begin < 1e6) {
                    }
                },
                tbb::static_partitioner());
        });
    });
}

}  // namespace

int main(int count, char** words)
{
    if (count > 1) {
        only = words[1];
    }
    const int threads = count > 2 ? std::atoi(words[2]) : 0;
    std::unique_ptr<tbb::global_control> width;
    if (threads > 0) {
        width = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                      threads);
    }
    const auto all = [] {
        tasks();
        loops("auto", tbb::auto_partitioner());
        loops("simple", tbb::simple_partitioner());
        loops("static", tbb::static_partitioner());
        tbb::affinity_partitioner replays;
        loops("affinity", replays);
        algorithms();
        after_a_pause();
    };
    if (threads > 0) {
        tbb::task_arena(threads).execute(all);
    } else {
        all();
    }
}
