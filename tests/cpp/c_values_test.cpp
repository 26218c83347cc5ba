// Values that light threads wait for through the C interface: full-empty words and futures.
#include "support.hpp"

#include <artel.h>
#include <cerrno>
#include <cstdint>

namespace {

constexpr std::int64_t milliseconds = 1'000'000;

}  // namespace

TEST(c_feb, hands_every_value_over_once)
{
    artel_feb word = ARTEL_FEB_EMPTY;
    std::atomic<std::uint64_t> sum{0};
    std::atomic<int> who{0};
    test::on_light_threads(40, [&] {
        const int mine = who++;
        for (std::uint64_t i = 1; i <= 100; ++i) {
            if (mine % 2 == 0) {
                artel_feb_write_ef(&word, i);
            } else {
                sum += artel_feb_read_fe(&word);
            }
        }
    });
    EXPECT_EQ(sum, 20u * 5050u);
    EXPECT_EQ(artel_feb_is_full(&word), 0);
}

TEST(c_feb, states_are_as_the_names_say)
{
    artel_feb word = ARTEL_FEB_FULL(7);
    std::uint64_t v = 0;
    EXPECT_EQ(artel_feb_is_full(&word), 1);
    EXPECT_EQ(artel_feb_read_ff(&word), 7u);
    EXPECT_EQ(artel_feb_try_write_ef(&word, 8), EAGAIN);
    EXPECT_EQ(artel_feb_try_read_ff(&word, &v), 0);
    EXPECT_EQ(v, 7u);
    artel_feb_write_ff(&word, 9);
    EXPECT_EQ(artel_feb_read_fe(&word), 9u);
    EXPECT_EQ(artel_feb_is_full(&word), 0);
    EXPECT_EQ(artel_feb_try_read_fe(&word, &v), EAGAIN);
    EXPECT_EQ(artel_feb_try_read_ff(&word, &v), EAGAIN);
    EXPECT_EQ(v, 7u);
    EXPECT_EQ(artel_feb_try_write_ef(&word, 10), 0);
    EXPECT_EQ(artel_feb_try_read_fe(&word, &v), 0);
    EXPECT_EQ(v, 10u);
    artel_feb_write_f(&word, 11);
    artel_feb_write_f(&word, 12);
    EXPECT_EQ(artel_feb_read_ff(&word), 12u);
    artel_feb_purge(&word);
    EXPECT_EQ(artel_feb_is_full(&word), 0);
    artel_feb_init_full(&word, 13);
    EXPECT_EQ(artel_feb_read_fe(&word), 13u);
    artel_feb_init_empty(&word);
    artel_feb_write_ef(&word, 14);
    EXPECT_EQ(artel_feb_read_fe(&word), 14u);
}

TEST(c_future, all_who_wait_get_the_value)
{
    for (int round = 0; round < 50; ++round) {
        artel_future f = ARTEL_FUTURE_INIT;
        EXPECT_EQ(artel_future_is_ready(&f), 0);
        void* got = nullptr;
        EXPECT_EQ(artel_future_get_until(&f, artel_now() + milliseconds, &got), ETIMEDOUT);
        std::atomic<int> number{0};
        int value = 5;
        test::on_light_threads(10, [&] {
            if (number++ == 5) {
                artel_future_set(&f, &value);
            } else {
                EXPECT_EQ(artel_future_get(&f), &value);
            }
        });
        EXPECT_EQ(artel_future_is_ready(&f), 1);
        EXPECT_EQ(artel_future_get_until(&f, 0, &got), 0);
        EXPECT_EQ(got, &value);
        artel_future_init(&f);
        EXPECT_EQ(artel_future_is_ready(&f), 0);
    }
}

TEST(c_future, a_function_gives_it_what_it_returns)
{
    struct call {
        artel_future result = ARTEL_FUTURE_INIT;
        int n = 0;
    };
    std::vector<call> calls(200);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i].n = static_cast<int>(i);
        EXPECT_EQ(artel_async(
                      &calls[i].result,
                      [](void* c) -> void* {
                          artel_yield();
                          return &static_cast<call*>(c)->n;
                      },
                      &calls[i]),
                  0);
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
        EXPECT_EQ(*static_cast<int*>(artel_future_get(&calls[i].result)), static_cast<int>(i));
    }
}
