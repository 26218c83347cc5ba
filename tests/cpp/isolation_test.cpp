// isolation: waits that run nothing else.
#include "support.hpp"

#include <mutex>
#include <numeric>

namespace {

using artel::isolation;

// Tasks of a group that must not run on the thread that holds the lock.
class strangers {
public:
    void add(int count)
    {
        for (int i = 0; i < count; ++i) {
            group_.run([this] {
                if (held_ && std::this_thread::get_id() == holder_) {
                    ++met_;
                }
            });
        }
    }
    void hold()
    {
        holder_ = std::this_thread::get_id();
        held_ = true;
    }
    void let_go() { held_ = false; }
    void expect_none_met()
    {
        group_.wait();
        EXPECT_EQ(met_, 0);
    }

private:
    std::thread::id holder_;
    std::atomic<bool> held_{false};
    std::atomic<int> met_{0};
    artel::task_group group_;
};

// A thread that waits in isolation runs none of the tasks in its own queue that are older or
// younger than its own.
TEST(isolation, of_a_fork_runs_nobody_elses_tasks)
{
    for (int round = 0; round < 20; ++round) {
        strangers others;
        others.add(20);
        others.hold();
        {
            const isolation alone;
            std::atomic<bool> begun{false};
            artel::parallel_invoke(
                [&] {
                    others.add(20);
                    // So that it has to wait, where there is anybody to have it.
                    const auto give_up = std::chrono::steady_clock::now() +
                                         std::chrono::milliseconds(test::workers() > 1 ? 20 : 0);
                    while (!begun && std::chrono::steady_clock::now() < give_up) {
                        std::this_thread::yield();
                    }
                },
                [&] {
                    begun = true;
                    test::work_for(std::chrono::milliseconds(2));
                });
            EXPECT_TRUE(begun);
        }
        others.let_go();
        others.expect_none_met();
    }
}

TEST(isolation, of_a_group_runs_its_own_tasks_only)
{
    for (int round = 0; round < 50; ++round) {
        strangers others;
        std::atomic<int> done{0};
        others.hold();
        {
            const isolation alone;
            artel::task_group mine;
            for (int i = 0; i < 10; ++i) {
                mine.run([&] { ++done; });
                others.add(3);
            }
            mine.wait();
            EXPECT_EQ(done, 10);
        }
        others.let_go();
        others.expect_none_met();
    }
}

TEST(isolation, of_a_loop_runs_nothing_else)
{
    for (int round = 0; round < 50; ++round) {
        strangers others;
        others.add(20);
        others.hold();
        {
            const isolation alone;
            std::atomic<int> sum{0};
            artel::parallel_for(0, 100, [&](int i) {
                test::work_for(std::chrono::microseconds(5));
                sum += i;
            });
            EXPECT_EQ(sum, 4950);
        }
        others.let_go();
        others.expect_none_met();
    }
}

// The lock is one that a second call on the same OS thread would wait for, for ever.
TEST(isolation, lets_a_lock_be_held)
{
    std::mutex lock;
    long value = 0;
    const auto change = [&] {
        const isolation alone;
        const std::scoped_lock hold(lock);
        std::atomic<int> sum{0};
        artel::parallel_for(0, 64, [&](int i) { sum += i; }, artel::simple{});
        artel::parallel_invoke([&] { ++sum; }, [&] { ++sum; }, [&] { ++sum; });
        value += sum;
    };
    test::on_threads(3, [&](unsigned) {
        for (int round = 0; round < 20; ++round) {
            artel::parallel_for(0, 20, [&](int) { change(); });
        }
    });
    EXPECT_EQ(value, 3L * 20 * 20 * (2016 + 3));
}

TEST(isolation, keeps_a_light_thread_on_its_os_thread)
{
    std::vector<artel::light_thread> some;
    for (int i = 0; i < 10; ++i) {
        some.emplace_back([] {
            const isolation alone;
            const std::thread::id here = std::this_thread::get_id();
            for (int round = 0; round < 10; ++round) {
                artel::parallel_for(0, 50, [](int) {});
                EXPECT_EQ(std::this_thread::get_id(), here);
                artel::this_light_thread::yield();
                EXPECT_EQ(std::this_thread::get_id(), here);
                artel::this_light_thread::sleep_for(std::chrono::microseconds(10));
                EXPECT_EQ(std::this_thread::get_id(), here);
            }
        });
    }
    for (artel::light_thread& t : some) {
        t.join();
    }
}

TEST(isolation, waits_for_what_a_light_thread_brings)
{
    artel::latch ready(1);
    artel::light_thread bringer([&] { ready.count_down(); });
    {
        const isolation alone;
        const isolation once_more;
        // Nobody runs the light thread here; a worker takes the caller's place.
        ready.wait();
    }
    bringer.join();
}

TEST(isolation, in_c)
{
    artel_isolation_end();  // none is begun
    artel_isolation_begin();
    artel_isolation_begin();
    std::atomic<int> sum{0};
    artel_parallel_for(
        0, 1000, 1,
        [](void* context, std::int64_t begin, std::int64_t end) {
            *static_cast<std::atomic<int>*>(context) += static_cast<int>(end - begin);
        },
        &sum);
    const auto add = [](void* context) { ++*static_cast<std::atomic<int>*>(context); };
    artel_par_do(add, &sum, add, &sum);
    EXPECT_EQ(sum, 1002);
    artel_isolation_end();
    artel_isolation_end();
    artel_isolation_end();
}

}  // namespace
