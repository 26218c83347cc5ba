// How many workers arenas get, and in which order: the program's limit, lowered, lifted and beyond
// the CPUs, and priorities. Checks hang where tasks are left that nobody comes for.
#include "check.hpp"

#include <algorithm>
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

// The worker goes to the arena that matters more, and leaves another one for it after its task.
void check_priorities()
{
    using priority = tbb::task_arena::priority;
    const parallelism one_worker(parallelism::max_allowed_parallelism, 2);
    for (int round = 0; round < 20; ++round) {
        tbb::task_arena low(1, 0, priority::low);
        tbb::task_arena high(1, 0, priority::high);
        std::atomic<bool> go_on{false};
        std::atomic<int> low_begun{0};
        std::atomic<int> ended{0};
        std::atomic<int> before_high{-1};
        constexpr int n = 1000;
        low.enqueue([&] {
            ++low_begun;
            wait_for([&] { return go_on.load(); });
        });
        wait_for([&] { return low_begun == 1; });
        for (int i = 0; i < n; ++i) {
            low.enqueue([&] { ++ended; });
        }
        high.enqueue([&] { before_high = ended.load(); });
        go_on = true;
        wait_for([&] { return ended == n && before_high >= 0; });
        CHECK(before_high < n);
    }
}

// While an arena of high priority has tasks for all workers, those of lower priority get none, and
// all tasks are run in the end.
void check_order_of_priorities()
{
    using priority = tbb::task_arena::priority;
    constexpr int workers = 2;
    constexpr int n = 20;
    const parallelism limit(parallelism::max_allowed_parallelism, workers + 1);
    for (int round = 0; round < 10; ++round) {
        tbb::task_arena low(workers, 0, priority::low);
        tbb::task_arena normal(workers, 0);
        tbb::task_arena high(workers, 0, priority::high);
        tbb::task_arena* const arenas[] = {&low, &normal, &high};
        tbb::task_group groups[3];
        std::atomic<bool> go_on{false};
        std::atomic<int> next{0};
        std::vector<int> order(3 * n);
        for (int a = 0; a < 3; ++a) {
            arenas[a]->execute([&, a] {
                for (int i = 0; i < n; ++i) {
                    groups[a].run([&, a] {
                        wait_for([&] { return go_on.load(); });
                        order[next++] = a;
                    });
                }
            });
        }
        go_on = true;
        wait_for([&] { return next == 3 * n; });
        for (int a = 0; a < 3; ++a) {
            arenas[a]->execute([&, a] { groups[a].wait(); });
        }
        // Each worker may have begun another task before all were there, and the limit of workers
        // is kept to within a moment only. As many may lose their CPU between taking a task of high
        // priority and writing it down, while others run all that is left.
        const auto high_ones = std::count(order.begin(), order.begin() + n + 2 * workers, 2);
        CHECK(high_ones >= n - 2 * workers);
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

// A worker leaves its tasks for an arena that matters more: another comes when that has none. It is
// the only one that may come, by the program's limit or because the arena has room for no more.
void check_left_for_priority()
{
    using priority = tbb::task_arena::priority;
    for (int round = 0; round < 20; ++round) {
        const bool limited = round % 2 == 0;
        const parallelism limit(parallelism::max_allowed_parallelism, limited ? 1 : 2);
        tbb::task_arena low(limited ? 2 : 1, limited ? 0 : 1, priority::low);
        tbb::task_arena high(2, 0, priority::high);
        tbb::task_group group;
        std::atomic<int> begun{0};
        std::atomic<int> done{0};
        std::atomic<bool> go_on{false};
        std::atomic<bool> high_ends{false};
        std::atomic<int> ended{0};
        low.enqueue([&] {
            ++begun;
            wait_for([&] { return go_on.load(); });
            group.run([&] { ++done; });
        });
        wait_for([&] { return begun == 1; });
        for (int i = 0; i < 3; ++i) {
            high.enqueue([&] {
                ++begun;
                wait_for([&] { return high_ends.load(); });
                ++ended;
            });
        }
        if (limited) {
            wait_for([&] { return begun == 2; });
        }
        go_on = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        high_ends = true;
        wait_for([&] { return ended == 3 && done == 1; });
        low.execute([&] { group.wait(); });
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
    {"priorities", check_priorities},
    {"order_of_priorities", check_order_of_priorities},
    {"both_too_many", check_both_too_many},
    {"workers_of_two_arenas", check_workers_of_two_arenas},
    {"left_for_priority", check_left_for_priority},
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
