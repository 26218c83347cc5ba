// Threads of the program that are suspended, or lose their slots to tasks that go on: what others
// make meanwhile is still done. Each check hangs where nobody comes for it.
#include "check.hpp"

#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#include <atomic>
#include <chrono>
#include <memory>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <thread>
#include <vector>

namespace {

using point = tbb::task::suspend_point;
using parallelism = tbb::global_control;

void sleep_ms(int n)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(n));
}

// No workers are allowed, and the only thread is suspended until something comes from outside, at
// once or when nobody looks for tasks any more.
void check_late_message()
{
    const parallelism allowed(parallelism::max_allowed_parallelism, 1);
    tbb::task_arena a(1);
    for (const int pause : {0, 1, 50}) {
        a.execute([&] {
            tbb::flow::graph g;
            point suspended{};
            tbb::flow::function_node<int> node(g, tbb::flow::unlimited,
                                               [&](int) { tbb::task::resume(suspended); });
            const auto me = std::this_thread::get_id();
            std::thread sender;
            tbb::task::suspend([&](point p) {
                suspended = p;
                sender = std::thread([&] {
                    sleep_ms(pause);
                    node.try_put(1);
                });
            });
            CHECK(me == std::this_thread::get_id());
            sender.join();
            g.wait_for_all();
        });
    }
}

// Both slots of an arena are external threads': one is suspended, and the other one relies on it.
void check_other_spawns()
{
    tbb::task_arena a(2, 2);
    for (int round = 0; round < 10; ++round) {
        std::atomic<bool> is_suspended{false};
        point suspended{};
        std::thread other([&] {
            a.execute([&] {
                tbb::task::suspend([&](point p) {
                    suspended = p;
                    is_suspended = true;
                });
            });
        });
        while (!is_suspended) {
            sleep_ms(1);
        }
        sleep_ms(round % 3 * 10);
        a.execute([&] {
            tbb::task_group g;
            std::atomic<bool> done{false};
            g.run([&] { done = true; });
            while (!done) {
                sleep_ms(1);
            }
            g.wait();
        });
        tbb::task::resume(suspended);
        other.join();
    }
}

// The slot of a thread that waits goes to a task that is resumed, and stays without a thread when
// that task is over; what the thread waits for is made later.
void check_slot_after_resumed()
{
    const parallelism allowed(parallelism::max_allowed_parallelism, 1);
    tbb::task_arena a(1);
    for (int round = 0; round < 10; ++round) {
        tbb::flow::graph* graph = nullptr;
        std::thread resumer;
        std::thread sender;
        a.execute([&] {
            tbb::flow::graph g;
            graph = &g;
            tbb::flow::function_node<int> node(g, tbb::flow::unlimited,
                                               [](int x) { CHECK(x == 1); });
            tbb::task_group suspended;
            suspended.run([&] {
                tbb::task::suspend([&](point p) {
                    resumer = std::thread([p] {
                        sleep_ms(5);
                        tbb::task::resume(p);
                    });
                });
            });
            g.reserve_wait();
            sender = std::thread([&] {
                sleep_ms(20);
                node.try_put(1);
                g.release_wait();
            });
            g.wait_for_all();
            suspended.wait();
        });
        resumer.join();
        sender.join();
    }
}

class leaver : public tbb::task_scheduler_observer {
public:
    explicit leaver(tbb::task_arena& a) : tbb::task_scheduler_observer(a) { observe(true); }
    ~leaver() override { observe(false); }
    void on_scheduler_exit(bool) override
    {
        const int index = tbb::this_task_arena::current_thread_index();
        std::atomic<int> sum{0};
        tbb::parallel_for(0, 10, [&](int i) { sum += i; });
        CHECK(sum == 45);
        CHECK(index >= 0 && index < 2);
        ++exits;
    }
    std::atomic<int> exits{0};
};

// A thread is told of its leaving while it has its slot, also when it leaves it to a resumed task.
void check_told_before_leaving()
{
    tbb::task_arena a(2, 1);
    leaver l(a);
    for (int round = 0; round < 20; ++round) {
        a.execute([&] {
            tbb::task_group g;
            for (int i = 0; i < 6; ++i) {
                g.run([&] {
                    tbb::task::suspend([&](point p) {
                        a.enqueue([p] {
                            sleep_ms(1);
                            tbb::task::resume(p);
                        });
                    });
                });
            }
            g.wait();
        });
    }
    CHECK(l.exits >= 20);
}

// A task spins until a thread of the program goes on, and may be carried by that one's OS thread,
// which slept when the task began.
void check_spun_on_sleeper()
{
    tbb::task_arena a(2);
    for (int round = 0; round < 20; ++round) {
        a.execute([&] {
            tbb::task_group g;
            auto held = std::make_unique<tbb::task_handle>(g.defer([] {}));
            std::atomic<bool> goes_on{false};
            std::atomic<bool> ended{false};
            a.enqueue([&] {
                sleep_ms(round % 3);
                held.reset();
                while (!goes_on) {
                    std::this_thread::yield();
                }
                ended = true;
            });
            tbb::this_task_arena::isolate([&] { g.wait(); });  // does not take what is enqueued
            goes_on = true;
            while (!ended) {
                std::this_thread::yield();
            }
        });
    }
}

// Threads of the program, which have slots and lose them to tasks that go on.
void check_suspension_in_few_slots()
{
    tbb::task_arena a(2, 1);
    std::atomic<int> done{0};
    std::vector<std::thread> threads;
    constexpr int n = 8;
    constexpr int rounds = 200;
    for (int i = 0; i < n; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < rounds; ++round) {
                a.execute([&] {
                    tbb::task_group g;
                    g.run_and_wait([&] {
                        std::unique_ptr<std::thread> resumer;
                        tbb::task::suspend([&](tbb::task::suspend_point p) {
                            if ((i + round) % 2 == 0) {
                                resumer = std::make_unique<std::thread>(
                                    [p] { tbb::task::resume(p); });
                            } else {
                                a.enqueue([p] { tbb::task::resume(p); });
                            }
                        });
                        if (resumer) {
                            resumer->join();
                        }
                    });
                });
                a.enqueue([&] { ++done; });
            }
        });
    }
    for (std::thread& t : threads) {
        t.join();
    }
    wait_for([&] { return done == n * rounds; });
}

// The one who resumes a task is not done with the arena when the last one leaves it.
void check_resumer_of_the_last()
{
    for (int round = 0; round < 500; ++round) {
        auto a = std::make_unique<tbb::task_arena>(2);
        std::thread resumer;
        a->execute([&] {
            tbb::task_group g;
            g.run_and_wait([&] {
                tbb::task::suspend([&](tbb::task::suspend_point p) {
                    resumer = std::thread([p] { tbb::task::resume(p); });
                });
            });
        });
        a.reset();
        resumer.join();
    }
}

constexpr named_check checks[] = {
    {"late_message", check_late_message},
    {"other_spawns", check_other_spawns},
    {"slot_after_resumed", check_slot_after_resumed},
    {"told_before_leaving", check_told_before_leaving},
    {"spun_on_sleeper", check_spun_on_sleeper},
    {"suspension_in_few_slots", check_suspension_in_few_slots},
    {"resumer_of_the_last", check_resumer_of_the_last},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
