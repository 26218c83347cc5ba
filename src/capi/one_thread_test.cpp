// A program that asks for one thread gets one: constructs whose caller does all of their work,
// before or while it waits for them, neither make nor wake a worker. Run with ARTEL_NUM_THREADS=1
// by src/CMakeLists.txt, and left out at other widths. Tasks whose maker does not wait for them get
// a worker all the same (left_tasks.hpp).
#include "sched/crew.hpp"
#include "sched/suspend.hpp"

#include <artel/artel.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using namespace artel;

int fib(int n)
{
    if (n < 2) {
        return n;
    }
    int a = 0;
    int b = 0;
    parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
    return a + b;
}

struct node {
    std::vector<node> children;
};

void visit(const node& n, task_group& group, std::atomic<int>& count)
{
    ++count;
    for (const node& child : n.children) {
        group.run([&] { visit(child, group, count); });
    }
}

class one_thread_without : public testing::Test {
protected:
    void SetUp() override
    {
        if (c.width() != 1) {
            GTEST_SKIP() << "for a width of 1";
        }
    }

    // How often one of the crew's own threads fell asleep, plus the number of these threads: grows
    // when one is made or woken.
    std::uint64_t woken() const
    {
        std::uint64_t sum = c.member_count();
        c.any_worker([&](const sched::worker& w) {
            sum += w.duty == sched::role::member ? w.sleeps.value() : 0;
            return false;
        });
        return sum;
    }

    sched::crew& c = sched::crew::get();
    // The caller runs everything.
    std::thread::id caller = std::this_thread::get_id();
    void here() const { EXPECT_EQ(std::this_thread::get_id(), caller); }
};

class one_thread : public one_thread_without {
protected:
    void SetUp() override
    {
        one_thread_without::SetUp();
        woken_ = woken();
    }
    void TearDown() override
    {
        if (!IsSkipped()) {
            EXPECT_EQ(woken(), woken_) << "somebody was woken";
        }
    }

private:
    std::uint64_t woken_ = 0;
};

TEST_F(one_thread, is_enough_for_calls)
{
    for (int round = 0; round < 50; ++round) {
        EXPECT_EQ(fib(12), 144);
    }
}

TEST_F(one_thread, is_enough_for_loops)
{
    const auto with = [&](auto how) {
        for (int round = 0; round < 20; ++round) {
            std::atomic<int> sum{0};
            parallel_for(
                0, 100,
                [&](int i) {
                    here();
                    sum += i;
                    parallel_for(0, 3, [&](int) { here(); });
                },
                how);
            EXPECT_EQ(sum, 4950);
        }
    };
    with(automatic{});
    with(static_{});
    with(simple{});
    with(dynamic{});
    with(guided{});
    with(lazy{});
    with(heartbeat{});
    with(timespan{});
    with(timespan_grain{});
}

TEST_F(one_thread, is_enough_for_reductions_and_scans)
{
    std::vector<long> values(1000);
    std::iota(values.begin(), values.end(), 1L);
    for (int round = 0; round < 20; ++round) {
        const auto value = [&](std::size_t i) { return values[i]; };
        EXPECT_EQ(parallel_reduce(std::size_t{0}, values.size(), 0L, value, std::plus<>{}), 500500);
        EXPECT_EQ(parallel_deterministic_reduce(std::size_t{0}, values.size(), 0L, value,
                                                std::plus<>{}, 8),
                  500500);
        const long total = parallel_scan(
            blocked_range<std::size_t>(0, values.size()), 0L,
            [&](const auto& piece, long before, bool) {
                for (std::size_t i = piece.begin(); i < piece.end(); ++i) {
                    before += values[i];
                }
                return before;
            },
            std::plus<>{});
        EXPECT_EQ(total, 500500);
    }
}

TEST_F(one_thread, is_enough_for_groups)
{
    const node tree{{{{{}, {}}}, {{{}, {{{}}}}}, {}}};
    for (int round = 0; round < 50; ++round) {
        std::atomic<int> count{0};
        task_group group;
        visit(tree, group, count);
        group.wait();
        EXPECT_EQ(count, 9);
        task_group limited(limit{.concurrency = 1});
        limited.run([&] { here(); });
        limited.run([&] {
            here();
            EXPECT_EQ(fib(5), 5);
        });
        limited.wait();
        {
            task_group not_waited_for_by_name;
            not_waited_for_by_name.run([&] { here(); });
        }
        group.run([&] { here(); });
        group.wait();
    }
}

TEST_F(one_thread, is_enough_for_what_it_waits_for)
{
    for (int round = 0; round < 50; ++round) {
        task_group group;
        latch done(1);
        group.run([&] {
            here();
            done.count_down();
        });
        done.wait();  // the caller has it run
        group.wait();
    }
}

int fib_in_groups(int n)
{
    if (n < 2) {
        return n;
    }
    int a = 0;
    task_group group;
    group.run([&] { a = fib_in_groups(n - 1); });
    const int b = fib_in_groups(n - 2);
    group.wait();
    return a + b;
}

// For longer than other tasks are left to their maker: the oldest task is that of the outermost
// call, which computes all the time.
TEST_F(one_thread, is_enough_for_long_recursions)
{
    const auto begin = std::chrono::steady_clock::now();
    task_group group;
    group.run([&] { here(); });
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(400)) {
        EXPECT_EQ(fib_in_groups(12), 144);
    }
    group.wait();
}

// Constructs that begin and end while earlier tasks are in the deque.
TEST_F(one_thread, is_enough_for_constructs_between_a_task_and_its_wait)
{
    for (int round = 0; round < 50; ++round) {
        task_group group;
        group.run([&] { here(); });
        EXPECT_EQ(fib(5), 5);
        parallel_for(0, 10, [&](int) { here(); });
        task_group other;
        other.run([&] { EXPECT_EQ(fib(5), 5); });
        other.wait();
        parallel_invoke([&] { group.run([&] { here(); }); }, [&] { here(); });
        group.wait();
    }
}

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
    EXPECT_NE(c.member_count(), 0u);
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
