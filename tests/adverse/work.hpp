// A little of everything that the C++ interface offers, with known results: what must go on working
// under limits, after a fork, in a crowd.
#pragma once

#include <artel/artel.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

namespace adverse {

inline void expect(bool good, const char* what)
{
    if (!good) {
        std::fprintf(stderr, "wrong: %s\n", what);
        std::abort();
    }
}

inline long fibonacci(int n)
{
    if (n < 2) {
        return n;
    }
    long a = 0;
    long b = 0;
    artel::parallel_invoke([&] { a = fibonacci(n - 1); }, [&] { b = fibonacci(n - 2); });
    return a + b;
}

// 2 to the power of `depth`, by loops in loops.
inline long nested(int depth)
{
    if (depth == 0) {
        return 1;
    }
    std::atomic<long> sum{0};
    artel::parallel_for(0, 2, [&](int) { sum += nested(depth - 1); });
    return sum;
}

inline void loops()
{
    std::atomic<long> sum{0};
    artel::parallel_for(0, 1000, [&](int i) { sum += i; });
    expect(sum == 499500, "parallel_for");
    const long reduced = artel::parallel_reduce(
        artel::blocked_range<long>(0, 20000), 0L,
        [](const artel::blocked_range<long>& r, long value) {
            for (long i = r.begin(); i != r.end(); ++i) {
                value += i;
            }
            return value;
        },
        std::plus<>());
    expect(reduced == 19999L * 20000 / 2, "parallel_reduce");
    expect(nested(8) == 256, "eight nested loops");
}

inline void tasks()
{
    expect(fibonacci(15) == 610, "parallel_invoke");
    std::atomic<int> count{0};
    artel::task_group group;
    for (int i = 0; i < 50; ++i) {
        group.run([&] { group.run([&] { ++count; }); });
    }
    group.wait();
    expect(count == 50, "task_group");
}

inline void light_threads()
{
    artel::mutex lock;
    artel::condition_variable changed;
    artel::barrier meeting(8);
    artel::counting_semaphore permits(2);
    int turn = 0;
    std::vector<artel::light_thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            meeting.arrive_and_wait();
            permits.acquire();
            artel::this_light_thread::yield();
            permits.release();
            std::unique_lock hold(lock);
            changed.wait(hold, [&] { return turn == i; });
            ++turn;
            changed.notify_all();
        });
    }
    for (artel::light_thread& t : threads) {
        t.join();
    }
    expect(turn == 8, "light threads");
    expect(!permits.try_acquire_for(std::chrono::microseconds(100)) || permits.try_acquire(),
           "timed wait");
}

inline void exceptions()
{
    int caught = 0;
    try {
        artel::parallel_for(0, 100, [](int i) {
            if (i % 10 == 3) {
                throw std::runtime_error("three");
            }
        });
    } catch (const std::runtime_error&) {
        ++caught;
    }
    artel::task_group group;
    group.run([] { throw std::runtime_error("task"); });
    try {
        group.wait();
    } catch (const std::runtime_error&) {
        ++caught;
    }
    expect(caught == 2, "exceptions");
}

inline void everything()
{
    loops();
    tasks();
    light_threads();
    exceptions();
}

}  // namespace adverse
