// Waits with a time limit: condition variables, semaphores, sleep; in light threads and OS threads.
#include "support.hpp"

#include <chrono>
#include <limits>
#include <mutex>

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using std::chrono::system_clock;

// Runs f in a light thread and on an OS thread.
template <class F>
void in_both(F f)
{
    f();
    artel::light_thread(f).join();
}

}  // namespace

TEST(timed_wait, a_semaphore_is_given_up_after_the_time_and_not_before)
{
    in_both([] {
        artel::binary_semaphore none(0);
        const auto begin = steady_clock::now();
        EXPECT_FALSE(none.try_acquire_for(20ms));
        EXPECT_GE(steady_clock::now() - begin, 20ms);
        EXPECT_FALSE(none.try_acquire_until(system_clock::now() + 20ms));
        EXPECT_FALSE(none.try_acquire_for(0s));
        EXPECT_FALSE(none.try_acquire_for(-1h));
        EXPECT_FALSE(none.try_acquire_until(steady_clock::time_point::min()));
        none.release();
        EXPECT_TRUE(none.try_acquire_for(-1h));
    });
}

// Points in time and durations that no clock's own unit can say.
TEST(timed_wait, far_away_is_not_now)
{
    in_both([] {
        const auto comes = [](const auto& wait) {
            artel::binary_semaphore permit(0);
            artel::light_thread giver([&] {
                artel::this_light_thread::sleep_for(1ms);
                permit.release();
            });
            EXPECT_TRUE(wait(permit));
            giver.join();
        };
        using hours = std::chrono::hours;
        comes([](auto& p) { return p.try_acquire_until(system_clock::time_point::max()); });
        comes([](auto& p) {
            return p.try_acquire_until(std::chrono::time_point<system_clock, hours>::max());
        });
        comes([](auto& p) {
            return p.try_acquire_until(std::chrono::time_point<steady_clock, hours>::max());
        });
        comes([](auto& p) { return p.try_acquire_for(hours::max()); });
        artel::binary_semaphore none(0);
        EXPECT_FALSE(none.try_acquire_until(std::chrono::time_point<system_clock, hours>::min()));
        EXPECT_FALSE(none.try_acquire_until(system_clock::time_point::min()));
    });
}

TEST(timed_wait, a_permit_comes_in_time)
{
    in_both([] {
        artel::binary_semaphore permit(0);
        for (int i = 0; i < 50; ++i) {
            artel::light_thread giver([&] { permit.release(); });
            EXPECT_TRUE(permit.try_acquire_for(1h));
            giver.join();
        }
        artel::light_thread late([&] {
            artel::this_light_thread::sleep_for(5ms);
            permit.release();
        });
        // Durations that no clock can add.
        EXPECT_TRUE(permit.try_acquire_for(std::chrono::hours::max()));
        late.join();
        permit.release();
        EXPECT_TRUE(permit.try_acquire_until(steady_clock::time_point::max()));
        permit.release();
        EXPECT_TRUE(permit.try_acquire_for(
            std::chrono::duration<double>(std::numeric_limits<double>::infinity())));
    });
}

TEST(timed_wait, a_condition_variable_says_whether_it_was_notified)
{
    in_both([] {
        artel::mutex lock;
        artel::condition_variable changed;
        bool ready = false;
        std::unique_lock hold(lock);
        EXPECT_EQ(changed.wait_for(hold, 5ms), std::cv_status::timeout);
        EXPECT_EQ(changed.wait_until(hold, system_clock::now() + 5ms), std::cv_status::timeout);
        EXPECT_FALSE(changed.wait_for(hold, 5ms, [&] { return ready; }));
        EXPECT_TRUE(hold.owns_lock());
        artel::light_thread other([&] {
            const std::scoped_lock hold_too(lock);
            ready = true;
            changed.notify_one();
        });
        EXPECT_TRUE(changed.wait_for(hold, 1h, [&] { return ready; }));
        EXPECT_TRUE(changed.wait_until(hold, steady_clock::now() - 1s, [&] { return ready; }));
        hold.unlock();
        other.join();
    });
}

TEST(timed_wait, sleepers_wake_in_the_order_of_their_times)
{
    std::vector<artel::light_thread> sleepers;
    std::atomic<int> early{0};
    const auto begin = steady_clock::now();
    for (int i = 0; i < 500; ++i) {
        const auto when = begin + std::chrono::milliseconds(i * 7 % 50);
        sleepers.emplace_back([&early, when] {
            artel::this_light_thread::sleep_until(when);
            early += steady_clock::now() < when ? 1 : 0;
        });
    }
    for (artel::light_thread& t : sleepers) {
        t.join();
    }
    EXPECT_EQ(early, 0);
    EXPECT_GE(steady_clock::now() - begin, 49ms);
}

TEST(timed_wait, sleep_holds_up_no_worker)
{
    // Each would take a worker for 20 ms; one after the other they would take 4 s on two workers.
    std::vector<artel::light_thread> sleepers;
    const auto begin = steady_clock::now();
    for (int i = 0; i < 400; ++i) {
        sleepers.emplace_back([] { artel::this_light_thread::sleep_for(20ms); });
    }
    for (artel::light_thread& t : sleepers) {
        t.join();
    }
    EXPECT_LT(steady_clock::now() - begin, 2s);
}

// Permits and deadlines arrive at the same moments: each permit is taken by one, and none is lost
// with somebody who gives up.
TEST(timed_wait, no_permit_is_lost_to_those_who_give_up)
{
    artel::counting_semaphore permits(0);
    std::atomic<int> taken{0};
    std::atomic<int> given{0};
    std::atomic<bool> end{false};
    std::vector<artel::light_thread> takers;
    for (int i = 0; i < 20; ++i) {
        takers.emplace_back([&, i] {
            test::delays delay(static_cast<std::uint64_t>(i));
            while (!end) {
                taken += permits.try_acquire_for(delay.next(200000)) ? 1 : 0;
            }
        });
    }
    const auto give = [&](unsigned number) {
        test::delays delay(1000 + number);
        for (int i = 0; i < 1000; ++i) {
            permits.release();
            ++given;
            artel::this_light_thread::sleep_for(delay.next(200000));
        }
    };
    test::on_threads(3, give);
    end = true;
    for (artel::light_thread& t : takers) {
        t.join();
    }
    while (permits.try_acquire()) {
        ++taken;
    }
    EXPECT_EQ(taken, given);
}

TEST(timed_wait, notifications_and_deadlines_race)
{
    artel::mutex lock;
    artel::condition_variable changed;
    long produced = 0;
    long consumed = 0;
    constexpr long all = 3000;
    std::vector<artel::light_thread> consumers;
    for (int i = 0; i < 8; ++i) {
        consumers.emplace_back([&, i] {
            test::delays delay(static_cast<std::uint64_t>(i));
            std::unique_lock hold(lock);
            while (consumed < all) {
                if (changed.wait_for(hold, delay.next(50000),
                                     [&] { return produced > consumed; })) {
                    consumed += consumed < produced ? 1 : 0;
                }
            }
        });
    }
    test::delays pause(99);
    for (long i = 0; i < all; ++i) {
        {
            const std::scoped_lock hold(lock);
            ++produced;
            changed.notify_one();
        }
        if (i % 8 == 0) {
            artel::this_light_thread::sleep_for(pause.next(100000));
        }
    }
    for (artel::light_thread& t : consumers) {
        t.join();
    }
    EXPECT_EQ(consumed, all);
}
