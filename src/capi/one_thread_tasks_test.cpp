// In a crew of one thread, tasks whose maker does not wait for them get a worker all the same
// (left_tasks.hpp).
#include "capi/one_thread_test.hpp"

#include <atomic>
#include <future>
#include <thread>

namespace {

using namespace artel;

// Another thread waits for the task of a thread that does something else meanwhile.
TEST_F(one_thread_without, a_wait_of_their_maker_tasks_run_where_another_waits)
{
    for (int round = 0; round < 20; ++round) {
        task_group group;
        std::atomic<int> count{0};
        std::atomic<bool> over{false};
        group.run([&] { ++count; });
        std::thread waiter([&] {
            latch second_has_run(1);
            group.run([&] { second_has_run.count_down(); });
            second_has_run.wait();
            group.wait();
            over = true;
        });
        waiter.join();
        EXPECT_TRUE(over);
        EXPECT_EQ(count, 1);
    }
}

// Programs in which the maker of tasks does not wait for them: `until(flag)` returns when the flag
// is set.
template <class Until>
void make_and_stay_away(Until&& until)
{
    for (int round = 0; round < 3; ++round) {
        std::atomic<bool> flag{false};
        task_group group;
        group.run([&] { flag = true; });
        until(flag);
        group.wait();
    }
}

TEST_F(one_thread_without, a_wait_tasks_run_while_their_maker_polls)
{
    make_and_stay_away([](const std::atomic<bool>& flag) {
        while (!flag) {
        }
    });
    make_and_stay_away([](const std::atomic<bool>& flag) {
        while (!flag) {
            std::this_thread::yield();
        }
    });
    EXPECT_NE(c.own_worker_count(), 0u);
}

TEST_F(one_thread_without, a_wait_tasks_run_while_their_maker_polls_between_constructs)
{
    make_and_stay_away([](const std::atomic<bool>& flag) {
        while (!flag) {
            parallel_for(0, 100, [](int) {});
        }
    });
    make_and_stay_away([](const std::atomic<bool>& flag) {
        while (!flag) {
            EXPECT_EQ(fib(8), 21);
        }
    });
    make_and_stay_away([](const std::atomic<bool>& flag) {
        while (!flag) {
            EXPECT_EQ(fib_in_groups(8), 21);
        }
    });
}

TEST_F(one_thread_without, a_wait_tasks_run_while_their_maker_is_blocked)
{
    for (int round = 0; round < 10; ++round) {
        std::promise<int> promise;
        std::future<int> result = promise.get_future();
        task_group group;
        group.run([&] { promise.set_value(3); });
        EXPECT_EQ(result.get(), 3);
    }
}

TEST_F(one_thread_without, a_wait_many_tasks_run)
{
    std::atomic<int> count{0};
    task_group group;
    for (int i = 0; i < 10000; ++i) {
        group.run([&] { ++count; });
    }
    while (count < 10000) {
    }
}

}  // namespace
