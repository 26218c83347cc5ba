// What light threads wait on: mutexes, conditions, barriers, latches, semaphores. External threads
// take part in all of it.
#include "support.hpp"

#include <cstring>
#include <functional>
#include <mutex>
#include <new>
#include <queue>
#include <thread>

TEST(mutex, excludes)
{
    artel::mutex lock;
    long count = 0;
    test::on_both(50, 4, [&](int) {
        for (int i = 0; i < 500; ++i) {
            const std::scoped_lock hold(lock);
            const long before = count;
            if (i % 50 == 0) {
                artel::this_light_thread::yield();  // held across a switch
            }
            count = before + 1;
        }
    });
    EXPECT_EQ(count, 54 * 500);
    EXPECT_TRUE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
}

TEST(condition_variable, a_bounded_queue)
{
    artel::mutex lock;
    artel::condition_variable not_empty;
    artel::condition_variable not_full;
    std::queue<int> queue;
    std::atomic<long> sum{0};
    constexpr int each = 300;
    test::on_both(20, 4, [&](int i) {
        if (i % 2 == 0) {
            for (int n = 1; n <= each; ++n) {
                std::unique_lock hold(lock);
                not_full.wait(hold, [&] { return queue.size() < 5; });
                queue.push(n);
                not_empty.notify_one();
            }
        } else {
            for (int n = 1; n <= each; ++n) {
                std::unique_lock hold(lock);
                not_empty.wait(hold, [&] { return !queue.empty(); });
                sum += queue.front();
                queue.pop();
                not_full.notify_one();
            }
        }
    });
    EXPECT_EQ(sum, 12L * each * (each + 1) / 2);
}

// The object may go when everybody has been notified, though a waiter has yet to fall asleep: here
// one that is held up between unlocking and that. What was its memory says that nothing happened.
TEST(condition_variable, goes_when_everybody_was_notified)
{
    struct slow_to_sleep {
        std::function<void()> unlocked;
        void lock() {}
        void unlock() { unlocked(); }
    };
    for (const bool timed : {false, true}) {
        alignas(artel::condition_variable) std::byte storage[sizeof(artel::condition_variable)];
        auto* const changed = new (storage) artel::condition_variable;
        std::atomic<bool> gone = false;
        std::thread ender;
        slow_to_sleep lock{[&] {
            ender = std::thread([&] {
                changed->notify_all();
                changed->~condition_variable();
                std::memset(storage, 0, sizeof storage);
                gone = true;
            });
            // Long enough for the memory to be another's, if nobody takes care.
            for (int i = 0; i < 200 && !gone; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        }};
        if (timed) {
            EXPECT_EQ(changed->wait_for(lock, std::chrono::seconds(20)),
                      std::cv_status::no_timeout);
        } else {
            changed->wait(lock);
        }
        ender.join();
        EXPECT_TRUE(gone);
    }
}

TEST(condition_variable, notify_all_wakes_everybody)
{
    artel::mutex lock;
    artel::condition_variable changed;
    int phase = 0;
    int arrived = 0;
    test::on_both(30, 3, [&](int) {
        for (int p = 0; p < 20; ++p) {
            std::unique_lock hold(lock);
            if (++arrived == 33) {
                arrived = 0;
                ++phase;
                changed.notify_all();
            } else {
                changed.wait(hold, [&] { return phase > p; });
            }
        }
    });
    EXPECT_EQ(phase, 20);
}

TEST(barrier, more_participants_than_workers)
{
    constexpr int n = 40;
    constexpr int rounds = 50;
    int completed = 0;
    const auto completion = [&]() noexcept { ++completed; };
    artel::barrier<decltype(completion)> meeting(n + 3, completion);
    std::vector<std::atomic<int>> step(n + 3);
    test::on_both(n, 3, [&](int i) {
        for (int r = 0; r < rounds; ++r) {
            step[static_cast<std::size_t>(i)] = r + 1;
            meeting.arrive_and_wait();
            for (const auto& s : step) {
                ASSERT_GE(s, r + 1);
            }
            meeting.arrive_and_wait();
        }
    });
    EXPECT_EQ(completed, 2 * rounds);
}

TEST(barrier, arrivals_may_be_dropped)
{
    artel::barrier meeting(10);
    test::on_both(10, 0, [&](int i) {
        for (int r = 0; r < 10; ++r) {
            if (r == i) {
                meeting.arrive_and_drop();
                return;
            }
            meeting.arrive_and_wait();
        }
    });
}

TEST(latch, lets_everybody_through_at_zero)
{
    for (int round = 0; round < 50; ++round) {
        artel::latch done(20);
        std::atomic<int> count{0};
        test::on_both(20, 2, [&](int i) {
            if (i < 20) {
                ++count;
                done.count_down();
            } else {
                done.wait();
                EXPECT_EQ(count, 20);
            }
        });
        EXPECT_TRUE(done.try_wait());
    }
}

TEST(semaphore, admits_as_many_as_it_has_permits)
{
    artel::counting_semaphore permits(3);
    test::attendance inside;
    test::on_both(30, 3, [&](int) {
        for (int i = 0; i < 100; ++i) {
            permits.acquire();
            inside.enter();
            if (i % 10 == 0) {
                artel::this_light_thread::yield();
            }
            inside.leave();
            permits.release();
        }
    });
    EXPECT_LE(inside.most(), 3u);
    EXPECT_TRUE(permits.try_acquire());
}

TEST(semaphore, hands_a_ball_back_and_forth)
{
    artel::binary_semaphore ping(1);
    artel::binary_semaphore pong(0);
    int hits = 0;
    artel::light_thread other([&] {
        for (int i = 0; i < 2000; ++i) {
            pong.acquire();
            ++hits;
            ping.release();
        }
    });
    for (int i = 0; i < 2000; ++i) {
        ping.acquire();
        ++hits;
        pong.release();
    }
    other.join();
    EXPECT_EQ(hits, 4000);
}

TEST(condition_variable, a_wait_whose_unlocking_throws_is_none)
{
    artel::mutex m;
    auto cv = std::make_unique<artel::condition_variable>();
    std::unique_lock<artel::mutex> lock(m, std::defer_lock);
    EXPECT_THROW(cv->wait(lock), std::system_error);
    EXPECT_THROW(cv->wait_for(lock, std::chrono::milliseconds(1)), std::system_error);
    cv.reset();  // waits for waiters
}

TEST(reducing_sinc, of_what_only_moves_begins_each_time_with_a_value)
{
    using number = std::unique_ptr<int>;
    const auto add = [](number a, const number& b) {
        *a += *b;
        return a;
    };
    artel::reducing_sinc<number, decltype(add)> sum(1, std::make_unique<int>(100), add);
    sum.submit(std::make_unique<int>(1));
    EXPECT_EQ(*sum.wait(), 101);
    sum.reset(2, std::make_unique<int>(10));
    sum.submit(std::make_unique<int>(1));
    sum.submit(std::make_unique<int>(2));
    EXPECT_EQ(*sum.wait(), 13);
}
