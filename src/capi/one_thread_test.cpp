// A program that asks for one thread gets one: constructs whose caller does all of their work,
// before or while it waits for them, neither make nor wake a worker.
#include "capi/one_thread_test.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using namespace artel;

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

}  // namespace
