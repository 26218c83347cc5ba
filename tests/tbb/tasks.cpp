// Contexts, exceptions, isolation, suspended tasks, waiting and the end.
#include "check.hpp"

#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#define TBB_PREVIEW_MUTEXES 1
#include <atomic>
#include <chrono>
#include <mutex>
#include <oneapi/tbb.h>
#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/rw_mutex.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

void check_exceptions()
{
    for (int round = 0; round < 100; ++round) {
        std::atomic<int> caught{0};
        try {
            tbb::parallel_for(0, 1000, [&](int i) {
                if (i % 100 == 7) {
                    throw std::runtime_error("at " + std::to_string(i));
                }
            });
        } catch (const std::runtime_error& e) {
            CHECK(std::string(e.what()).substr(0, 3) == "at ");
            ++caught;
        }
        CHECK(caught == 1);
    }
    // Through two levels, and the outer one is over with it.
    bool reached = false;
    try {
        tbb::parallel_for(0, 4, [&](int) {
            tbb::parallel_for(0, 100, [](int i) {
                if (i == 50) {
                    throw std::logic_error("inner");
                }
            });
        });
    } catch (const std::logic_error&) {
        reached = true;
    }
    CHECK(reached);
}

void check_cancellation()
{
    tbb::task_group_context outer;
    std::atomic<int> begun{0};
    std::atomic<bool> over{false};
    tbb::parallel_for(
        tbb::blocked_range<int>(0, 100000, 1),
        [&](const tbb::blocked_range<int>&) {
            if (++begun == 10) {
                CHECK(outer.cancel_group_execution());
                CHECK(!outer.cancel_group_execution());
                over = true;
            }
            const bool cancelled_before = over;
            tbb::task_group_context inner;
            tbb::parallel_for(0, 10, [](int) {}, inner);
            if (cancelled_before) {
                CHECK(inner.is_group_execution_cancelled());
                CHECK(outer.is_group_execution_cancelled());
            }
        },
        tbb::simple_partitioner(), outer);
    CHECK(outer.is_group_execution_cancelled());
    CHECK(begun < 100000);
    tbb::task_group g;
    g.run([&] { g.cancel(); });
    g.run([] {});
    CHECK(g.wait() == tbb::task_group_status::canceled);
    g.run([] {});
    CHECK(g.wait() == tbb::task_group_status::complete);
    // A child is cancelled with its parent, a context of its own is not.
    tbb::task_group_context parent;
    bool isolated_lives = false;
    tbb::parallel_for(
        0, 1,
        [&](int) {
            tbb::task_group_context child(tbb::task_group_context::bound);
            tbb::task_group_context apart(tbb::task_group_context::isolated);
            tbb::parallel_for(0, 1, [](int) {}, child);
            tbb::parallel_for(0, 1, [](int) {}, apart);
            parent.cancel_group_execution();
            CHECK(child.is_group_execution_cancelled());
            isolated_lives = !apart.is_group_execution_cancelled();
        },
        parent);
    CHECK(isolated_lives);
}

// A task has one thread from its begin to its end, also across waits.
void check_identity()
{
    tbb::enumerable_thread_specific<int> of_thread;
    tbb::parallel_for(0, 200, [&](int) {
        const auto me = std::this_thread::get_id();
        int& mine = of_thread.local();
        tbb::parallel_for(0, 100, [](int i) {
            volatile int x = i;
            (void)x;
        });
        CHECK(me == std::this_thread::get_id());
        CHECK(&mine == &of_thread.local());
    });
}

void check_isolation()
{
    tbb::parallel_for(0, 64, [](int) {
        thread_local bool inside = false;
        CHECK(!inside);
        inside = true;
        tbb::this_task_arena::isolate([] { tbb::parallel_for(0, 64, [](int) {}); });
        inside = false;
    });
}

void check_suspension()
{
    std::atomic<int> resumed{0};
    std::vector<std::thread> resumers;
    std::mutex lock;
    tbb::parallel_for(0, 40, [&](int i) {
        const auto me = std::this_thread::get_id();
        tbb::task::suspend([&](tbb::task::suspend_point point) {
            if (i % 2 == 0) {
                tbb::task::resume(point);
            } else {
                const std::lock_guard hold(lock);
                resumers.emplace_back([point] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    tbb::task::resume(point);
                });
            }
        });
        CHECK(me == std::this_thread::get_id());
        tbb::parallel_for(0, 10, [&](int) { ++resumed; });
    });
    for (std::thread& t : resumers) {
        t.join();
    }
    CHECK(resumed == 400);
}

// Adds two times out of three: as a writer that goes on as a reader, or becomes one later.
template <class Mutex>
void write_in_turn(Mutex& m, int i, int& sum)
{
    typename Mutex::scoped_lock hold(m, i % 3 == 0);
    if (i % 3 == 0) {
        ++sum;
        hold.downgrade_to_reader();
    } else if (i % 3 == 1) {
        hold.upgrade_to_writer();
        CHECK(hold.is_writer());
        ++sum;
    }
}

void check_waiting()
{
    tbb::concurrent_bounded_queue<int> q;
    q.set_capacity(3);
    std::thread consumer([&] {
        long sum = 0;
        for (int i = 0; i < 10000; ++i) {
            int x = 0;
            q.pop(x);
            sum += x;
        }
        CHECK(sum == 10000L * 9999 / 2);
    });
    for (int i = 0; i < 10000; ++i) {
        q.push(i);
    }
    consumer.join();
    std::thread aborted([&] {
        bool stopped = false;
        try {
            int x = 0;
            q.pop(x);
        } catch (const tbb::user_abort&) {
            stopped = true;
        }
        CHECK(stopped);
    });
    while (q.size() >= 0) {
        std::this_thread::yield();
    }
    q.abort();
    aborted.join();
    int counter = 0;
    tbb::mutex m;
    tbb::queuing_rw_mutex fair;
    tbb::rw_mutex rw;
    tbb::speculative_spin_rw_mutex speculative;
    tbb::speculative_spin_mutex alone;
    int in_each[4] = {0, 0, 0, 0};
    tbb::parallel_for(0, 20000, [&](int i) {
        {
            const tbb::mutex::scoped_lock hold(m);
            ++counter;
        }
        write_in_turn(fair, i, in_each[0]);
        {
            const tbb::rw_mutex::scoped_lock hold(rw, true);
            ++in_each[1];
        }
        write_in_turn(speculative, i, in_each[2]);
        {
            const tbb::speculative_spin_mutex::scoped_lock hold(alone);
            ++in_each[3];
        }
    });
    CHECK(counter == 20000 && in_each[0] == 13334 && in_each[1] == 20000 && in_each[2] == 13334 &&
          in_each[3] == 20000);
}

constexpr named_check checks[] = {
    {"exceptions", check_exceptions}, {"cancellation", check_cancellation},
    {"identity", check_identity},     {"isolation", check_isolation},
    {"suspension", check_suspension}, {"waiting", check_waiting},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
