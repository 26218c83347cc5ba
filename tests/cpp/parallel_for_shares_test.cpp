// parallel_for in a crew: loops in a row, at the same time and nested, and who gets which share;
// the thesis's list.
#include "support.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

TEST(parallel_for, several_in_a_row)
{
    test::counted c(100);
    for (int round = 0; round < 1000; ++round) {
        artel::parallel_for(0, 100, [&](int i) { c.hit(static_cast<std::size_t>(i)); });
    }
    c.expect(1000);
}

TEST(parallel_for, several_threads_at_once)
{
    test::on_threads(8, [](unsigned) {
        for (int round = 0; round < 50; ++round) {
            test::counted c(300);
            artel::parallel_for(0, 300, [&](int i) { c.hit(static_cast<std::size_t>(i)); });
            c.expect(1);
        }
    });
}

// Iterations wait for each other, so each needs a worker of its own.
TEST(parallel_for, uses_all_workers)
{
    const int n = static_cast<int>(test::workers());
    for (int round = 0; round < 3; ++round) {
        std::atomic<int> started{0};
        artel::parallel_for(0, n, [&](int) {
            ++started;
            const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
            while (started < n && std::chrono::steady_clock::now() < give_up) {
                std::this_thread::yield();
            }
        });
        EXPECT_EQ(started, n);
    }
}

TEST(parallel_for, nested)
{
    test::counted c(40 * 40);
    artel::parallel_for(std::size_t{0}, std::size_t{40}, [&](std::size_t i) {
        artel::parallel_for(std::size_t{0}, std::size_t{40},
                            [&](std::size_t j) { c.hit(40 * i + j); });
    });
    c.expect(1);
}

namespace {

void nest(int depth, std::atomic<int>& leaves)
{
    if (depth == 0) {
        ++leaves;
        return;
    }
    artel::parallel_for(0, 3, [&](int) { nest(depth - 1, leaves); });
}

}  // namespace

TEST(parallel_for, nested_to_depth_8)
{
    std::atomic<int> leaves{0};
    nest(8, leaves);
    EXPECT_EQ(leaves, 6561);
}

TEST(parallel_for, work_is_stolen)
{
    if (test::workers() == 1) {
        GTEST_SKIP() << "nobody to steal";
    }
    // All the work is in the first share; whoever has the others must take from it. On a loaded
    // machine nobody else may get a CPU in time.
    std::mutex lock;
    std::set<std::thread::id> threads;
    for (int attempt = 0; attempt < 500 && threads.size() < 2; ++attempt) {
        artel::parallel_for(
            0, 20 * static_cast<int>(test::workers()),
            [&](int i) {
                if (i < 20) {
                    test::work_for(std::chrono::milliseconds(1));
                    const std::scoped_lock hold(lock);
                    threads.insert(std::this_thread::get_id());
                }
            },
            artel::simple{});
    }
    EXPECT_GT(threads.size(), 1u);
}

TEST(parallel_for, static_deals_out_evenly)
{
    std::mutex lock;
    std::vector<std::size_t> sizes;
    artel::parallel_for(
        artel::blocked_range<int>(0, 1001),
        [&](const auto& block) {
            const std::scoped_lock hold(lock);
            sizes.push_back(block.size());
        },
        artel::static_{});
    ASSERT_EQ(sizes.size(), test::workers());
    for (const std::size_t s : sizes) {
        EXPECT_GE(s, 1001 / test::workers());
        EXPECT_LE(s, 1001 / test::workers() + 1);
    }
}

TEST(parallel_for, stress_from_several_threads_with_random_delays)
{
    test::on_threads(4, [](unsigned number) {
        test::delays outer(number + 1);
        for (int round = 0; round < 20; ++round) {
            test::counted c(200);
            artel::parallel_for(0, 200, [&](int i) {
                test::delays inner(static_cast<std::uint64_t>(i) * 17 + number);
                test::work_for(inner.next(20000));
                c.hit(static_cast<std::size_t>(i));
            });
            c.expect(1);
            std::this_thread::sleep_for(outer.next(2000000));
        }
    });
}
