// Whether an arena gets the workers that it needs: each check hangs where a wake-up is lost, that
// is, where tasks are left that nobody comes for. What a program may not rely on is not asked for:
// tasks that others wait for are enqueued, or there are as many threads as they need.
#include "check.hpp"

#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <memory>
#include <mutex>
#include <oneapi/tbb.h>
#include <thread>
#include <vector>

namespace {

using parallelism = tbb::global_control;

// All slots are taken by threads of the program while something is enqueued, and left afterwards.
void check_slots_of_others()
{
    for (int round = 0; round < 300; ++round) {
        tbb::task_arena a(2, round % 3);
        std::atomic<int> inside{0};
        std::atomic<bool> ran{false};
        const auto visit = [&](bool enqueues) {
            a.execute([&] {
                ++inside;
                wait_for([&] { return inside == 2; });
                if (enqueues) {
                    a.enqueue([&] { ran = true; });
                }
            });
        };
        std::thread other([&] { visit(false); });
        visit(true);
        other.join();
        wait_for([&] { return ran.load(); });
    }
}

// A worker that a loop has asked for and that nobody needed comes for what is enqueued, also where
// the tasks of a thread are otherwise left to it (ARTEL_NUM_THREADS=1). It took 100 ms of the time
// of a thread that polls: the time in which others have the CPU does not count.
void check_asked_for_before()
{
    const auto used = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
    };
    double least = 1e9;  // of several: a worker that has just been made may be late
    for (int round = 0; round < 5; ++round) {
        // Each time a new thread, which has not left any tasks so far.
        std::thread([&] {
            tbb::task_arena a(2);
            a.execute([] { tbb::parallel_for(0, 1000, [](int) {}); });
            std::atomic<bool> ran{false};
            const double before = used();
            a.enqueue([&] { ran = true; });
            while (!ran) {
                std::this_thread::yield();
            }
            least = std::min(least, used() - before);
        }).join();
    }
    CHECK(least < 50);
}

// An arena without a slot for workers.
void check_no_slots_for_workers()
{
    tbb::task_arena a(2, 2);
    for (int round = 0; round < 100; ++round) {
        std::atomic<bool> ran{false};
        a.enqueue([&] { ran = true; });
        wait_for([&] { return ran.load(); });
    }
}

// A thread that waits in isolation looks for tasks, but not for what is enqueued.
void check_isolated_searcher()
{
    const parallelism allowed(parallelism::max_allowed_parallelism, 4);
    tbb::task_arena a(4);
    for (int round = 0; round < 100; ++round) {
        a.execute([&] {
            std::atomic<bool> ran{false};
            tbb::this_task_arena::isolate([&] {
                tbb::task_group g;
                g.run([&] {
                    // Now and then when the other one has gone to sleep.
                    if (round % 8 == 0) {
                        std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    }
                    a.enqueue([&] { ran = true; });
                    wait_for([&] { return ran.load(); });
                });
                std::this_thread::sleep_for(std::chrono::microseconds(round * 3));
                g.wait();
            });
        });
    }
}

// A thread that waits in isolation looks at its youngest task, which is not for it, and leaves it
// to others.
void check_isolated_owner()
{
    const parallelism allowed(parallelism::max_allowed_parallelism, 3);
    tbb::task_arena a(3);
    for (int round = 0; round < 2000; ++round) {
        a.execute([&] {
            tbb::task_group outer;
            std::atomic<bool> outer_ran{false};
            outer.run([&] { outer_ran = true; });
            tbb::this_task_arena::isolate([&] {
                tbb::task_group inner;
                inner.run([&] {});
                inner.wait();
                wait_for([&] { return outer_ran.load(); });
            });
            outer.wait();
        });
    }
}

// A thread that waits in a critical task cannot run another one: it sleeps, and so does a thread
// that could.
void check_critical_waiter()
{
    const parallelism allowed(parallelism::max_allowed_parallelism, 2);
    tbb::task_arena a(2);
    for (int round = 0; round < 5; ++round) {
        a.execute([&] {
            tbb::task_group inner;
            auto held = std::make_unique<tbb::task_handle>(inner.defer([] {}));
            std::atomic<bool> first_waits{false};
            tbb::flow::graph g;
            tbb::flow::function_node<int> first(
                g, tbb::flow::unlimited,
                [&](int) {
                    first_waits = true;
                    inner.wait();
                },
                tbb::flow::node_priority_t(1));
            tbb::flow::function_node<int> second(
                g, tbb::flow::unlimited, [&](int) { held.reset(); }, tbb::flow::node_priority_t(1));
            first.try_put(1);
            wait_for([&] { return first_waits.load(); });
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            std::thread sender([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                second.try_put(1);
            });
            g.wait_for_all();
            sender.join();
        });
    }
}

// Threads of the program come, enqueue and leave, many more than CPUs and slots.
void check_crowd()
{
    for (int round = 0; round < 5; ++round) {
        tbb::task_arena a(3, static_cast<unsigned>(round % 4));
        std::atomic<int> ran{0};
        std::vector<std::thread> threads;
        constexpr int n = 16;
        constexpr int times = 50;
        for (int i = 0; i < n; ++i) {
            threads.emplace_back([&, i] {
                for (int k = 0; k < times; ++k) {
                    if ((i + k) % 3 == 0) {
                        a.enqueue([&] { ++ran; });
                    } else {
                        a.execute([&] {
                            if ((i + k) % 3 == 1) {
                                tbb::parallel_for(0, 8, [](int) {});
                            }
                            a.enqueue([&] { ++ran; });
                        });
                    }
                    // One at a time now and then: what is left is not swept up by the next.
                    if (k % 10 == 0) {
                        std::atomic<bool> own{false};
                        a.enqueue([&] { own = true; });
                        wait_for([&] { return own.load(); });
                    }
                }
            });
        }
        for (std::thread& t : threads) {
            t.join();
        }
        wait_for([&] { return ran == n * times; });
    }
}

// The program's thread waits in one arena while a task of another keeps its worker until that
// thread has gone on: its own OS thread must not have carried that worker.
void check_leaves_other_arenas()
{
    const tbb::global_control enough(tbb::global_control::max_allowed_parallelism, 4);
    tbb::task_arena here(2);
    tbb::task_arena there(2, 0);
    const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    for (int round = 0; round < 20; ++round) {
        std::mutex lock;
        std::condition_variable changed;
        bool said = false;
        std::atomic<bool> begun{false};
        std::atomic<bool> waits{false};
        std::atomic<bool> woken{false};
        here.execute([&] {
            tbb::task_group group;
            group.run([&] {
                begun = true;
                while (!waits) {
                    nap();
                }
                nap();
            });
            while (!begun) {
                nap();
            }
            there.enqueue([&] {
                {
                    std::unique_lock hold(lock);
                    waits = true;
                    changed.wait(hold, [&] { return said; });
                }
                woken = true;
            });
            group.wait();
        });
        {
            const std::scoped_lock hold(lock);
            said = true;
            changed.notify_all();
        }
        while (!woken) {
            nap();
        }
    }
}

constexpr named_check checks[] = {
    {"asked_for_before", check_asked_for_before},
    {"slots_of_others", check_slots_of_others},
    {"no_slots_for_workers", check_no_slots_for_workers},
    {"isolated_searcher", check_isolated_searcher},
    {"isolated_owner", check_isolated_owner},
    {"critical_waiter", check_critical_waiter},
    {"crowd", check_crowd},
    {"leaves_other_arenas", check_leaves_other_arenas},
};

}  // namespace

// All, or those that are named.
int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
