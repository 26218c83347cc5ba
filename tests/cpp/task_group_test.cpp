// task_group: results, exceptions, cancellation, limits and nesting.
#include "support.hpp"
#include "work.hpp"

#include <array>
#include <chrono>
#include <memory>

namespace {

long fib_in_groups(int n)
{
    if (n < 2) {
        return n;
    }
    long left = 0;
    artel::task_group group;
    group.run([&left, n] { left = fib_in_groups(n - 1); });
    const long right = fib_in_groups(n - 2);
    group.wait();
    return left + right;
}

}  // namespace

TEST(task_group, recursion)
{
    EXPECT_EQ(fib_in_groups(20), 6765);
}

TEST(task_group, many_tasks_then_again)
{
    artel::task_group group;
    std::atomic<int> sum{0};
    for (int round = 1; round <= 5; ++round) {
        for (int i = 0; i < 10000; ++i) {
            group.run([&sum] { ++sum; });
        }
        EXPECT_EQ(group.wait(), artel::group_status::complete);
        EXPECT_EQ(sum, round * 10000);
    }
}

TEST(task_group, large_and_move_only_callables)
{
    artel::task_group group;
    std::atomic<long> sum{0};
    for (int i = 0; i < 100; ++i) {
        std::array<long, 100> big{};
        big.fill(i);
        group.run([&sum, big] { sum += big[99]; });
        group.run([&sum, p = std::make_unique<int>(i)] { sum += *p; });
    }
    group.wait();
    EXPECT_EQ(sum, 9900);
}

namespace {

void spread(artel::task_group& group, std::atomic<int>& count, int depth)
{
    ++count;
    if (depth > 0) {
        for (int i = 0; i < 2; ++i) {
            group.run([&group, &count, depth] { spread(group, count, depth - 1); });
        }
    }
}

}  // namespace

TEST(task_group, tasks_add_tasks)
{
    artel::task_group group;
    std::atomic<int> count{0};
    group.run([&] { spread(group, count, 12); });
    group.wait();
    EXPECT_EQ(count, 8191);
}

TEST(task_group, several_threads_add_and_wait)
{
    artel::task_group group;
    std::atomic<int> count{0};
    test::on_threads(6, [&](unsigned) {
        for (int i = 0; i < 2000; ++i) {
            group.run([&] { ++count; });
        }
        group.wait();
    });
    EXPECT_EQ(count, 12000);
}

TEST(task_group, the_first_exception_reaches_the_waiter_once_and_cancels)
{
    for (int round = 0; round < 100; ++round) {
        artel::task_group group;
        for (int i = 0; i < 50; ++i) {
            group.run([i] {
                if (i % 10 == 3) {
                    throw test::failure(i);
                }
            });
        }
        EXPECT_THROW(group.wait(), test::failure);
        EXPECT_EQ(group.wait(), artel::group_status::complete);
        int ran = 0;
        group.run([&] { ran = 1; });
        EXPECT_EQ(group.wait(), artel::group_status::complete);
        EXPECT_EQ(ran, 1);
    }
}

TEST(task_group, cancel_drops_what_has_not_begun)
{
    artel::task_group group;
    std::atomic<int> ran{0};
    group.cancel();
    EXPECT_TRUE(group.is_cancelled());
    for (int i = 0; i < 1000; ++i) {
        group.run([&] { ++ran; });
    }
    EXPECT_EQ(group.wait(), artel::group_status::cancelled);
    EXPECT_EQ(ran, 0);
    EXPECT_FALSE(group.is_cancelled());

    for (int i = 0; i < 10000; ++i) {
        group.run([&] {
            if (++ran == 5) {
                group.cancel();
            }
            test::work_for(std::chrono::microseconds(2));
        });
    }
    EXPECT_EQ(group.wait(), artel::group_status::cancelled);
    EXPECT_LT(ran, 10000);
}

TEST(task_group, the_destructor_waits)
{
    std::atomic<int> ran{0};
    {
        artel::task_group group;
        for (int i = 0; i < 100; ++i) {
            group.run([&] {
                test::work_for(std::chrono::microseconds(5));
                ++ran;
            });
        }
    }
    EXPECT_EQ(ran, 100);
    const auto leave_by_exception = [] {
        artel::task_group group;
        group.run([] { throw test::failure(1); });
        throw test::failure(2);
    };
    try {
        leave_by_exception();
        FAIL();
    } catch (const test::failure& f) {
        EXPECT_EQ(f.number, 2);
    }
}

TEST(task_group, keeps_to_its_limits)
{
    for (const unsigned most : {1u, 2u, 5u}) {
        artel::task_group group(artel::limit{.concurrency = most, .numas = {0}});
        test::attendance inside;
        std::atomic<int> ran{0};
        for (int i = 0; i < 500; ++i) {
            group.run([&] {
                inside.enter();
                artel::this_light_thread::yield();
                inside.leave();
                ++ran;
            });
        }
        group.wait();
        EXPECT_EQ(ran, 500);
        EXPECT_LE(inside.most(), most);
    }
    std::stop_source source;
    artel::task_group stoppable(artel::limit{.stop = source.get_token()});
    source.request_stop();
    bool called = false;
    stoppable.run([&] { called = true; });
    EXPECT_EQ(stoppable.wait(), artel::group_status::cancelled);
    EXPECT_FALSE(called);
}

TEST(task_group, inside_loops_inside_groups)
{
    std::atomic<int> count{0};
    artel::task_group outer;
    for (int t = 0; t < 10; ++t) {
        outer.run([&] {
            artel::parallel_for(0, 10, [&](int) {
                artel::task_group inner;
                for (int i = 0; i < 10; ++i) {
                    inner.run([&] { count += test::fib(5) == 5 ? 1 : 0; });
                }
                inner.wait();
            });
        });
    }
    outer.wait();
    EXPECT_EQ(count, 1000);
}

// A task of an outer group lies on top of a fork-join task: nobody may wait for ever.
TEST(task_group, tasks_of_an_outer_group_made_inside_a_fork)
{
    for (int round = 0; round < 200; ++round) {
        artel::task_group outer;
        std::atomic<int> count{0};
        artel::parallel_invoke(
            [&] {
                for (int i = 0; i < 10; ++i) {
                    outer.run([&] { ++count; });
                }
            },
            [&] {
                for (int i = 0; i < 10; ++i) {
                    outer.run([&] { ++count; });
                }
            });
        artel::parallel_for(0, 4, [&](int) { outer.run([&] { ++count; }); });
        outer.wait();
        EXPECT_EQ(count, 24);
    }
}
