// Light threads: how they begin, end, suspend themselves and wait inside of loops and tasks.
#include "support.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <unistd.h>

TEST(light_thread, runs_and_is_joined)
{
    int value = 0;
    artel::light_thread t([&] { value = 1; });
    EXPECT_TRUE(t.joinable());
    t.join();
    EXPECT_FALSE(t.joinable());
    EXPECT_EQ(value, 1);
    EXPECT_THROW(t.join(), std::system_error);
}

TEST(light_thread, takes_arguments_and_large_and_move_only_callables)
{
    int sum = 0;
    artel::light_thread([&](int a, std::unique_ptr<int> b) { sum += a + *b; }, 1,
                        std::make_unique<int>(2))
        .join();
    std::array<int, 200> big{};
    big.fill(3);
    artel::light_thread([&sum, big] { sum += big[199]; }).join();
    EXPECT_EQ(sum, 6);
}

// Each has a frame of its own on the joiner's stack, or a stack of its own.
void join_nested(int depth, std::size_t frame, std::atomic<int>& ran)
{
    auto* const used = static_cast<volatile char*>(__builtin_alloca(frame));
    used[0] = 1;
    used[frame - 1] = 1;
    ++ran;
    if (depth > 1) {
        artel::light_thread(join_nested, depth - 1, frame, std::ref(ran)).join();
    }
    used[0] = 0;
}

TEST(light_thread, nested_joins_do_not_overflow_a_stack)
{
    std::atomic<int> ran{0};
    join_nested(100, 60 * 1024, ran);
    artel::light_thread(join_nested, 100, std::size_t{60 * 1024}, std::ref(ran)).join();
    join_nested(20000, 16, ran);
    EXPECT_EQ(ran, 20200);
}

// Light threads that wake up at the same time get all workers, although one OS thread tells them.
// The joining thread counts for none: it begins light threads, and continues none that others
// began.
TEST(light_thread, sleepers_that_wake_together_run_together)
{
    const unsigned n = std::clamp(artel::concurrency(), 2U, 5U) - 1;
    for (int round = 0; round < 5; ++round) {
        std::atomic<unsigned> present{0};
        std::vector<artel::light_thread> all;
        for (unsigned i = 0; i < n; ++i) {
            all.emplace_back([&] {
                artel::this_light_thread::sleep_for(std::chrono::milliseconds(20));
                ++present;
                while (present < n) {
                }
            });
        }
        for (artel::light_thread& t : all) {
            t.join();
        }
    }
}

// One that is ready goes on although others block all workers in the kernel.
TEST(light_thread, goes_on_beside_blocked_workers)
{
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const unsigned n = artel::concurrency();
    std::atomic<unsigned> read{0};
    std::vector<artel::light_thread> readers;
    for (unsigned i = 0; i < n; ++i) {
        readers.emplace_back([&] {
            artel::this_light_thread::sleep_for(std::chrono::milliseconds(10));
            char c = 0;
            read += ::read(ends[0], &c, 1) == 1 ? 1 : 0;
        });
    }
    artel::light_thread writer([&] {
        artel::this_light_thread::sleep_for(std::chrono::milliseconds(50));
        for (unsigned i = 0; i < n; ++i) {
            EXPECT_EQ(::write(ends[1], "x", 1), 1);
        }
    });
    for (artel::light_thread& t : readers) {
        t.join();
    }
    writer.join();
    EXPECT_EQ(read, n);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(light_thread, has_an_id_of_its_own)
{
    EXPECT_EQ(artel::this_light_thread::get_id(), artel::light_thread::id());
    artel::light_thread::id inside;
    artel::light_thread::id nested;
    artel::light_thread t([&] {
        inside = artel::this_light_thread::get_id();
        artel::light_thread([&] { nested = artel::this_light_thread::get_id(); }).join();
        artel::this_light_thread::yield();
        EXPECT_EQ(artel::this_light_thread::get_id(), inside);
    });
    const auto seen = t.get_id();
    t.join();
    EXPECT_EQ(inside, seen);
    EXPECT_NE(inside, nested);
    EXPECT_NE(inside, artel::light_thread::id());
    EXPECT_EQ(artel::this_light_thread::get_id(), artel::light_thread::id());
}

TEST(light_thread, many_at_once_in_any_order)
{
    std::atomic<int> count{0};
    std::vector<artel::light_thread> threads;
    for (int i = 0; i < 20000; ++i) {
        threads.emplace_back([&] { ++count; });
    }
    for (std::size_t i = 0; i < threads.size(); i += 2) {
        threads[i].join();
    }
    for (std::size_t i = threads.size(); i-- > 0;) {
        if (threads[i].joinable()) {
            threads[i].join();
        }
    }
    EXPECT_EQ(count, 20000);
}

TEST(light_thread, detached_ones_end_by_themselves)
{
    auto left = std::make_shared<artel::latch>(1000);
    for (int i = 0; i < 1000; ++i) {
        artel::light_thread([left] { left->count_down(); }).detach();
    }
    left->wait();
}

TEST(light_thread, yield_lets_those_that_have_not_begun_run)
{
    std::atomic<int> flag{0};
    artel::light_thread first([&] {
        while (flag < 2) {
            artel::this_light_thread::yield();
        }
    });
    artel::light_thread second([&] {
        while (flag < 1) {
            artel::this_light_thread::yield();
        }
        ++flag;
    });
    artel::light_thread third([&] { ++flag; });
    first.join();
    second.join();
    third.join();
    EXPECT_EQ(flag, 2);
}

TEST(light_thread, an_external_thread_may_yield)
{
    std::atomic<bool> done{false};
    artel::light_thread t([&] { done = true; });
    while (!done) {
        artel::this_light_thread::yield();
    }
    t.join();
}

TEST(suspend, resumed_from_inside_from_another_thread_and_from_a_task)
{
    artel::suspend([](artel::suspend_point p) { artel::resume(p); });
    int value = 0;
    std::thread helper;
    artel::suspend([&](artel::suspend_point p) {
        helper = std::thread([&value, p] {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            value = 1;
            artel::resume(p);
        });
    });
    EXPECT_EQ(value, 1);
    helper.join();
    artel::parallel_for(0, 100, [](int) {
        artel::light_thread t;
        artel::suspend(
            [&](artel::suspend_point p) { t = artel::light_thread([p] { artel::resume(p); }); });
        t.join();
    });
}

TEST(suspend, what_arranges_may_throw)
{
    EXPECT_THROW(artel::suspend([](artel::suspend_point) { throw test::failure(1); }),
                 test::failure);
}

TEST(waiting, inside_loops_and_tasks)
{
    artel::mutex lock;
    long count = 0;
    artel::parallel_for(0, 200, [&](int) {
        artel::parallel_invoke(
            [&] {
                const std::scoped_lock hold(lock);
                artel::parallel_for(0, 10, [&](int) {});
                ++count;
            },
            [&] {
                const std::scoped_lock hold(lock);
                ++count;
            });
    });
    EXPECT_EQ(count, 400);
}

TEST(waiting, stress_with_random_delays)
{
    artel::mutex lock;
    artel::condition_variable changed;
    artel::counting_semaphore permits(2);
    long tickets = 0;
    long served = 0;
    test::on_both(40, 4, [&](int number) {
        test::delays d(static_cast<std::uint64_t>(number));
        for (int i = 0; i < 30; ++i) {
            permits.acquire();
            test::work_for(d.next(3000));
            permits.release();
            std::unique_lock hold(lock);
            const long mine = tickets++;
            changed.wait(hold, [&] { return served == mine; });
            ++served;
            changed.notify_all();
        }
    });
    EXPECT_EQ(served, 44 * 30);
}

// An external thread that is busy with light threads of its own is left alone with them, but not
// for ever: what it waits for may be the oldest.
TEST(light_thread, an_older_one_runs_while_its_starter_goes_on_with_others)
{
    std::atomic<bool> run{false};
    artel::light_thread([&] { run = true; }).detach();
    while (!run) {
        artel::light_thread([] {}).join();
    }
    std::atomic<int> begun{0};
    int started = 0;
    while (begun == 0) {
        artel::light_thread([&] { ++begun; }).detach();
        ++started;
    }
    while (begun != started) {
        std::this_thread::yield();
    }
}
