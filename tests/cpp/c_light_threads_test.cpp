// Light threads, their suspension and their own values through the C interface.
#include "support.hpp"

#include <artel.h>
#include <cerrno>
#include <cstdint>
#include <thread>

namespace {

constexpr std::int64_t milliseconds = 1'000'000;

}  // namespace

TEST(c_light_thread, joined_and_detached)
{
    std::atomic<int> ran{0};
    test::on_light_threads(1000, [&] { ++ran; });
    EXPECT_EQ(ran, 1000);

    artel_latch all = ARTEL_LATCH_INIT(200);
    const auto arrive = [](void* c) { artel_latch_count_down(static_cast<artel_latch*>(c), 1); };
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(artel_light_thread_start(nullptr, arrive, &all), 0);
        artel_light_thread* t = nullptr;
        EXPECT_EQ(artel_light_thread_start(&t, arrive, &all), 0);
        EXPECT_EQ(artel_light_thread_detach(t), 0);
    }
    artel_latch_wait(&all);
}

TEST(c_light_thread, wrong_joins_are_errors)
{
    EXPECT_EQ(artel_light_thread_join(nullptr), EINVAL);
    EXPECT_EQ(artel_light_thread_detach(nullptr), EINVAL);
    artel_future self = ARTEL_FUTURE_INIT;
    artel_light_thread* t = nullptr;
    ASSERT_EQ(artel_light_thread_start(
                  &t,
                  [](void* c) {
                      auto* const me = static_cast<artel_light_thread*>(
                          artel_future_get(static_cast<artel_future*>(c)));
                      EXPECT_EQ(artel_light_thread_join(me), EDEADLK);
                      EXPECT_EQ(artel_light_thread_id(), reinterpret_cast<std::uintptr_t>(me));
                  },
                  &self),
              0);
    artel_future_set(&self, t);
    EXPECT_EQ(artel_light_thread_join(t), 0);
    EXPECT_EQ(artel_light_thread_id(), 0u);
}

TEST(c_light_thread, yielding_lets_others_run)
{
    std::atomic<bool> flag{false};
    std::atomic<int> seen{0};
    test::on_light_threads(20, [&, n = std::atomic<int>(0)]() mutable {
        if (++n == 20) {
            flag = true;
        }
        while (!flag) {
            artel_yield();
        }
        ++seen;
    });
    EXPECT_EQ(seen, 20);
}

TEST(c_light_thread, sleeps_at_least_as_long_as_asked)
{
    const std::int64_t begin = artel_now();
    test::on_light_threads(50, [&] { artel_sleep_for(20 * milliseconds); });
    EXPECT_GE(artel_now() - begin, 20 * milliseconds);
    const std::int64_t when = artel_now() + 10 * milliseconds;
    artel_sleep_until(when);
    EXPECT_GE(artel_now(), when);
    artel_sleep_until(when);
    artel_sleep_for(0);
    artel_sleep_for(-5);
    artel_sleep_for(INT64_MIN);
}

TEST(c_suspend, resumed_early_and_late_by_any_thread)
{
    // Before arrange() has returned.
    artel_suspend([](artel_suspend_point here, void*) { artel_resume(here); }, nullptr);
    std::atomic<int> resumed{0};
    test::on_light_threads(20, [&] {
        std::thread late;
        artel_suspend(
            [](artel_suspend_point here, void* c) {
                *static_cast<std::thread*>(c) = std::thread([here] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    artel_resume(here);
                });
            },
            &late);
        ++resumed;
        late.join();
    });
    EXPECT_EQ(resumed, 20);
}

TEST(c_key, values_belong_to_light_threads_and_end_with_them)
{
    static std::atomic<int> destroyed;
    destroyed = 0;
    artel_key a;
    artel_key b;
    artel_key_init(&a, [](void* value) { destroyed += *static_cast<int*>(value); });
    artel_key_init(&b, nullptr);
    static int one = 1;
    artel_barrier meet;
    ASSERT_EQ(artel_barrier_init(&meet, 100, nullptr, nullptr), 0);
    test::on_light_threads(100, [&] {
        EXPECT_EQ(artel_key_get(&a), nullptr);
        int mine = 5;
        EXPECT_EQ(artel_key_set(&a, &mine), 0);
        EXPECT_EQ(artel_key_set(&b, &mine), 0);
        artel_barrier_wait(&meet);
        EXPECT_EQ(artel_key_get(&a), &mine);
        EXPECT_EQ(artel_key_get(&b), &mine);
        EXPECT_EQ(artel_key_set(&a, &one), 0);
        EXPECT_EQ(artel_key_get(&a), &one);
    });
    EXPECT_EQ(destroyed, 100);
    test::on_light_threads(10, [&] {
        EXPECT_EQ(artel_key_set(&a, &one), 0);
        EXPECT_EQ(artel_key_set(&a, nullptr), 0);
    });
    EXPECT_EQ(destroyed, 100);
    EXPECT_EQ(artel_key_get(&a), nullptr);
}
