// How many workers arenas get: the program's limit, lowered, lifted and beyond the CPUs. A check
// hangs where a task gets no worker.
#include "check.hpp"

#include <atomic>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <thread>
#include <vector>

namespace {

using parallelism = tbb::global_control;

// Workers of a wide loop are still there when the program allows fewer. A moment is allowed for, in
// which one has looked before and takes a task after: one round in five. (It was nine in ten
// where nobody looked.)
void check_limit_is_lowered()
{
    constexpr int rounds = 100;
    int exceeded = 0;
    for (int round = 0; round < rounds; ++round) {
        std::atomic<int> inside{0};
        {
            const parallelism many(parallelism::max_allowed_parallelism, 16);
            tbb::parallel_for(
                0, 16,
                [&](int) {
                    ++inside;
                    for (int i = 0; i < 50 && inside < 8; ++i) {
                        std::this_thread::yield();
                    }
                },
                tbb::simple_partitioner());
        }
        const parallelism few(parallelism::max_allowed_parallelism, 2);
        std::atomic<int> most{0};
        inside = 0;
        tbb::parallel_for(
            0, 64,
            [&](int) {
                const int n = ++inside;
                int seen = most;
                while (seen < n && !most.compare_exchange_weak(seen, n)) {
                }
                for (int i = 0; i < 5; ++i) {
                    std::this_thread::yield();
                }
                --inside;
            },
            tbb::simple_partitioner());
        exceeded += most > 2;
    }
    if (exceeded > rounds / 5) {
        std::fprintf(stderr, "more than allowed in %d of %d rounds\n", exceeded, rounds);
        std::exit(1);
    }
}

// A program that allows more threads than there are CPUs may let them wait for each other.
void check_more_than_there_are()
{
    const int all = 2 * tbb::this_task_arena::max_concurrency() + 1;
    const parallelism more(parallelism::max_allowed_parallelism, static_cast<std::size_t>(all));
    tbb::task_arena a(all);
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> inside{0};
        a.execute([&] {
            tbb::parallel_for(
                0, all,
                [&](int) {
                    ++inside;
                    wait_for([&] { return inside == all; });
                },
                tbb::static_partitioner());
        });
    }
}

// More arenas than anybody has thought of have tasks when a limit is lifted.
void check_many_arenas()
{
    constexpr int n = 200;
    std::atomic<int> done{0};
    std::vector<std::unique_ptr<tbb::task_arena>> arenas;
    std::vector<std::unique_ptr<tbb::task_group>> groups;
    {
        const parallelism one(parallelism::max_allowed_parallelism, 1);
        for (int i = 0; i < n; ++i) {
            groups.push_back(std::make_unique<tbb::task_group>());
            arenas.push_back(std::make_unique<tbb::task_arena>(2));
            arenas.back()->execute([&] {
                groups.back()->run([&] { ++done; });
                groups.back()->run([&] { ++done; });
            });
        }
    }
    wait_for([&] { return done == 2 * n; });
    for (const auto& g : groups) {
        g->wait();
    }
}

// The worker of a loop is still there when the program allows one thread only: it takes nothing of
// the next loop.
void check_one_thread()
{
    const auto me = std::this_thread::get_id();
    for (int round = 0; round < 200; ++round) {
        tbb::parallel_for(
            0, 200,
            [](int) {
                const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(5);
                while (std::chrono::steady_clock::now() < end) {
                }
            },
            tbb::simple_partitioner());
        const parallelism one(parallelism::max_allowed_parallelism, 1);
        tbb::parallel_for(
            0, 1000, [&](int) { CHECK(me == std::this_thread::get_id()); },
            tbb::simple_partitioner());
    }
}

// In the arenas below nobody waits before all is done.

// Two workers of an arena are too many, and each has a task of its own.
void check_both_too_many()
{
    const parallelism four(parallelism::max_allowed_parallelism, 4);
    for (int round = 0; round < 20; ++round) {
        tbb::task_arena a(4, 0);
        tbb::task_group group;
        std::atomic<int> begun{0};
        std::atomic<int> done{0};
        std::atomic<bool> go_on{false};
        for (int i = 0; i < 2; ++i) {
            a.enqueue([&] {
                ++begun;
                wait_for([&] { return go_on.load(); });
                group.run([&] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    ++done;
                });
            });
        }
        wait_for([&] { return begun == 2; });
        {
            const parallelism one(parallelism::max_allowed_parallelism, 1);
            go_on = true;
            wait_for([&] { return done == 2; });
        }
        a.execute([&] { group.wait(); });
    }
}

// As many arenas have a worker each for what is enqueued, though none is allowed.
void check_workers_of_two_arenas()
{
    const parallelism one(parallelism::max_allowed_parallelism, 1);
    for (int round = 0; round < 20; ++round) {
        tbb::task_arena arenas[2]{tbb::task_arena(2), tbb::task_arena(2)};
        tbb::task_group groups[2];
        std::atomic<int> begun{0};
        std::atomic<int> done{0};
        for (int i = 0; i < 2; ++i) {
            arenas[i].enqueue([&, i] {
                ++begun;
                // Which the stock library has one after the other.
                for (int k = 0; k < 100 && begun < 2; ++k) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                groups[i].run([&] { ++done; });
            });
        }
        wait_for([&] { return done == 2; });
        for (int i = 0; i < 2; ++i) {
            arenas[i].execute([&] { groups[i].wait(); });
        }
    }
}

// A task that was spawned without waiting, by a thread that has left. The worker for another one
// takes it along.
void check_spawner_has_left()
{
    const parallelism one(parallelism::max_allowed_parallelism, 1);
    for (int round = 0; round < 20; ++round) {
        tbb::task_arena a(2);
        tbb::task_group group;
        std::atomic<int> done{0};
        a.execute([&] { group.run([&] { ++done; }); });
        a.enqueue([&] { ++done; });
        wait_for([&] { return done == 2; });
        a.execute([&] { group.wait(); });
    }
}

// The worker is suspended, and what it has spawned is to resume it. Its substitute is too many.
void check_suspended_and_too_many()
{
    const parallelism four(parallelism::max_allowed_parallelism, 4);
    for (int round = 0; round < 20; ++round) {
        tbb::task_arena a(4, 0);
        tbb::task_group group;
        std::atomic<int> begun{0};
        std::atomic<bool> go_on{false};
        std::atomic<bool> resumed{false};
        std::atomic<int> ended{0};
        a.enqueue([&] {
            ++begun;
            wait_for([&] { return resumed.load(); });
            ++ended;
        });
        a.enqueue([&] {
            ++begun;
            wait_for([&] { return go_on.load(); });
            tbb::task::suspend(
                [&](tbb::task::suspend_point p) { group.run([p] { tbb::task::resume(p); }); });
            resumed = true;
            ++ended;
        });
        wait_for([&] { return begun == 2; });
        {
            const parallelism one(parallelism::max_allowed_parallelism, 1);
            go_on = true;
            wait_for([&] { return ended == 2; });
        }
        a.execute([&] { group.wait(); });
    }
}

constexpr named_check checks[] = {
    {"limit_is_lowered", check_limit_is_lowered},
    {"one_thread", check_one_thread},
    {"more_than_there_are", check_more_than_there_are},
    {"many_arenas", check_many_arenas},
    {"both_too_many", check_both_too_many},
    {"workers_of_two_arenas", check_workers_of_two_arenas},
    {"spawner_has_left", check_spawner_has_left},
    {"suspended_and_too_many", check_suspended_and_too_many},
};

}  // namespace

// All, or those that are named.
int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
