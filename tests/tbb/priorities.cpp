// Priorities of arenas: which arena gets the workers, and when workers leave for another one. A
// check hangs where a task gets no worker.
#include "check.hpp"

#include <algorithm>
#include <atomic>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <thread>
#include <vector>

namespace {

using parallelism = tbb::global_control;
using priority = tbb::task_arena::priority;

// The worker goes to the arena that matters more, and leaves another one for it after its task.
void check_priorities()
{
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

// A worker leaves its tasks for an arena that matters more: another comes when that has none. It is
// the only one that may come, by the program's limit or because the arena has room for no more.
void check_left_for_priority()
{
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

// An arena is refused its first worker while another one that matters more has a task. It gets it
// when a thread that is no worker has taken that task.
void check_refused_for_priority()
{
    const parallelism limit(parallelism::max_allowed_parallelism, 3);
    for (int round = 0; round < 20; ++round) {
        tbb::task_arena other(2, 1);
        tbb::task_arena high(4, 1, priority::high);
        tbb::task_arena normal(2, 1);
        std::atomic<int> blocked{0};
        std::atomic<bool> there{false};
        std::atomic<bool> refused{false};
        std::atomic<bool> done{false};
        for (tbb::task_arena* const each : {&other, &high}) {
            each->enqueue([&] {
                ++blocked;
                wait_for([&] { return done.load(); });
                --blocked;
            });
            wait_for([&] { return blocked == (each == &other ? 1 : 2); });
        }
        std::thread outside([&] {
            high.execute([&] {
                tbb::task_group group;
                group.run([] {});
                there = true;
                wait_for([&] { return refused.load(); });
                group.wait();
                wait_for([&] { return done.load(); });
            });
        });
        wait_for([&] { return there.load(); });
        normal.enqueue([&] { done = true; });
        refused = true;
        outside.join();
        wait_for([&] { return blocked == 0; });
    }
}

constexpr named_check checks[] = {
    {"priorities", check_priorities},
    {"order_of_priorities", check_order_of_priorities},
    {"left_for_priority", check_left_for_priority},
    {"refused_for_priority", check_refused_for_priority},
};

}  // namespace

// All, or those that are named.
int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
