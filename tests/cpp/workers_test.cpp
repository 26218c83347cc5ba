// Numbers of workers: worker_index() and its bounds, num_threads().
#include "support.hpp"

#include <latch>
#include <set>

namespace {

// Marks an index as in use for as long as it exists; nobody else may have it meanwhile.
class claims {
public:
    claims() : users_(artel::worker_index_bound()) {}
    void check()
    {
        const unsigned mine = artel::worker_index();
        ASSERT_LT(mine, artel::worker_index_bound());
        EXPECT_EQ(users_[mine].fetch_add(1), 0) << "two have index " << mine;
        test::work_for(std::chrono::microseconds(2));
        EXPECT_EQ(artel::worker_index(), mine);
        users_[mine].fetch_sub(1);
        EXPECT_LT(mine, artel::worker_index_end());
    }

private:
    std::vector<std::atomic<int>> users_;
};

TEST(workers, are_as_many_as_in_c)
{
    EXPECT_EQ(artel::num_threads(), artel_num_threads());
    EXPECT_EQ(artel::worker_index_bound(), artel_worker_index_bound());
    EXPECT_EQ(artel::worker_index(), artel_worker_index());
    EXPECT_LE(artel::worker_index_end(), artel_worker_index_bound());
    EXPECT_LE(artel::worker_index_end(), artel_worker_index_end());
    EXPECT_GE(artel::num_threads(), 1u);
    EXPECT_EQ(artel::concurrency(), artel::num_threads());
}

TEST(workers, nobody_else_has_the_index_of_who_executes)
{
    claims all;
    // Callers from outside, more than there are workers.
    test::on_threads(2 * std::min(artel::num_threads(), 8u) + 4, [&](unsigned) {
        const unsigned mine = artel::worker_index();
        for (int round = 0; round < 20; ++round) {
            all.check();
            artel::parallel_for(0, 50, [&](int) { all.check(); }, artel::simple{});
            artel::parallel_invoke([&] { all.check(); }, [&] { all.check(); });
            artel::task_group group;
            for (int i = 0; i < 5; ++i) {
                group.run([&] { all.check(); });
            }
            artel::light_thread light([&] {
                all.check();
                artel::this_light_thread::yield();
                all.check();
            });
            group.wait();
            light.join();
            EXPECT_EQ(artel::worker_index(), mine) << "an external thread's never changes";
        }
    });
}

// What a program with one thread may rely on for its own arrays.
TEST(workers, of_one_external_thread_are_below_the_width)
{
    if (artel::worker_index_end() != 0 || artel::concurrency() == 1) {
        GTEST_SKIP() << "for a process of its own, and for two threads or more";
    }
    claims all;
    for (int round = 0; round < 50; ++round) {
        const auto look = [&] {
            EXPECT_LT(artel::worker_index(), artel::concurrency());
            all.check();
        };
        artel::parallel_for(0, 50, [&](int) { look(); }, artel::simple{});
        artel::parallel_invoke(look, look, look, look);
        artel::task_group group;
        for (int i = 0; i < 20; ++i) {
            group.run(look);
        }
        artel::light_thread light(look);
        group.wait();
        light.join();
    }
    EXPECT_LE(artel::worker_index_end(), artel::concurrency());
}

TEST(workers, indices_are_given_again)
{
    const auto highest_of_many = [] {
        constexpr unsigned callers = 40;
        std::latch all_here(callers);
        std::atomic<unsigned> highest{0};
        std::vector<std::atomic<int>> users(artel::worker_index_bound());
        test::on_threads(callers, [&](unsigned) {
            const unsigned mine = artel::worker_index();
            EXPECT_EQ(users[mine].fetch_add(1), 0);
            for (unsigned seen = highest;
                 seen < mine && !highest.compare_exchange_weak(seen, mine);) {
            }
            all_here.arrive_and_wait();  // so many at a time
        });
        return highest.load();
    };
    const unsigned first = highest_of_many();
    EXPECT_LT(first, artel::worker_index_end());
    for (int round = 0; round < 10; ++round) {
        EXPECT_LE(highest_of_many(), first + artel::num_threads());
    }
    EXPECT_LE(artel::worker_index_end(), first + artel::num_threads() + 2);
}

}  // namespace
