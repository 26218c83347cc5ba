// Full/empty words of the table, and the order in which waiters are served.
#include "sched/feb_table.hpp"

#include <algorithm>
#include <artel/artel.hpp>
#include <atomic>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace artel;
namespace feb = sched::feb;

// Waits until the lines of the table have this many waiters.
void wait_for_waiters(std::size_t n)
{
    for (;;) {
        std::size_t found = 0;
        feb::for_each_waiter([](const void*, const artel::detail::feb_waiter&,
                                void* sum) { ++*static_cast<std::size_t*>(sum); },
                             &found);
        if (found == n) {
            return;
        }
        this_light_thread::yield();
    }
}

TEST(feb_table, memory_is_full_until_it_is_emptied)
{
    feb::word w = 5;
    EXPECT_TRUE(feb::is_full(&w));
    EXPECT_EQ(feb::read_ff(&w), 5u);
    EXPECT_EQ(feb::read_fe(&w), 5u);
    EXPECT_FALSE(feb::is_full(&w));
    feb::word got = 1;
    EXPECT_FALSE(feb::try_read_fe(&w, got));
    EXPECT_FALSE(feb::try_read_ff(&w, got));
    EXPECT_EQ(got, 1u);
    feb::write_ef(&w, 7);
    EXPECT_FALSE(feb::try_write_ef(&w, 8));
    EXPECT_TRUE(feb::try_read_ff(&w, got));
    EXPECT_EQ(got, 7u);
    feb::purge(&w, 3);
    EXPECT_EQ(w, 3u);
    EXPECT_FALSE(feb::is_full(&w));
    feb::write_f(&w, 4);
    feb::write_ff(&w, 5);
    EXPECT_EQ(feb::read_xx(&w), 5u);
    EXPECT_TRUE(feb::is_full(&w));
}

TEST(feb_table, a_word_that_is_full_again_leaves_nothing_behind)
{
    const std::size_t before = feb::words_kept();
    std::vector<feb::word> words(1000);
    for (feb::word& w : words) {
        feb::empty(&w);
    }
    EXPECT_EQ(feb::words_kept(), before + words.size());
    for (feb::word& w : words) {
        feb::fill(&w);
    }
    EXPECT_EQ(feb::words_kept(), before);
}

TEST(feb_table, keeps_a_million_empty_words)
{
    std::vector<feb::word> words(1000000);
    for (std::size_t i = 0; i < words.size(); ++i) {
        feb::purge(&words[i], i);
    }
    feb::word ignored;
    for (feb::word& w : words) {
        ASSERT_FALSE(feb::try_read_ff(&w, ignored));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        ASSERT_TRUE(feb::try_write_ef(&words[i], i + 1));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        ASSERT_EQ(feb::read_ff(&words[i]), i + 1);
    }
}

TEST(feb_table, waiters_go_on_in_their_order)
{
    feb::word w = 0;
    feb::empty(&w);
    std::vector<int> order;
    std::vector<light_thread> takers;
    for (int i = 0; i < 5; ++i) {
        takers.emplace_back([&, i] {
            const auto got = feb::read_fe(&w);
            EXPECT_EQ(got, static_cast<feb::word>(i));  // the i-th value is for the i-th waiter
            feb::empty(&w);
        });
        wait_for_waiters(static_cast<std::size_t>(i) + 1);
    }
    for (feb::word i = 0; i < 5; ++i) {
        feb::write_ef(&w, i);
    }
    for (light_thread& t : takers) {
        t.join();
    }
    feb::fill(&w);
}

TEST(feb_table, readers_that_leave_it_full_go_before_the_one_that_takes)
{
    feb::word w = 0;
    feb::empty(&w);
    std::atomic<int> seen{0};
    light_thread first([&] { EXPECT_EQ(feb::read_fe(&w), 9u); });
    wait_for_waiters(1);
    light_thread second([&] {
        EXPECT_EQ(feb::read_ff(&w), 9u);
        ++seen;
    });
    wait_for_waiters(2);
    feb::write_ef(&w, 9);
    second.join();
    first.join();
    EXPECT_EQ(seen, 1);
    EXPECT_FALSE(feb::is_full(&w));
    feb::fill(&w);
}

TEST(feb_table, os_threads_may_wait_too)
{
    feb::word w = 0;
    feb::empty(&w);
    std::thread reader([&] { EXPECT_EQ(feb::read_fe(&w), 1u); });
    wait_for_waiters(1);
    feb::write_f(&w, 1);
    reader.join();
    EXPECT_FALSE(feb::is_full(&w));
    feb::fill(&w);
}

TEST(feb_table, callbacks_come_when_the_word_is_full)
{
    struct noted : feb::callback {
        int calls = 0;
    } c;
    c.call = [](feb::callback& self) noexcept { ++static_cast<noted&>(self).calls; };
    feb::word w = 0;
    EXPECT_FALSE(feb::call_when_full(&w, c));
    feb::empty(&w);
    EXPECT_TRUE(feb::call_when_full(&w, c));
    EXPECT_EQ(c.calls, 0);
    feb::fill(&w);
    EXPECT_EQ(c.calls, 1);
    EXPECT_TRUE(feb::is_full(&w));
}

TEST(feb_table, reports_who_waits_for_what)
{
    feb::word w = 0;
    feb::empty(&w);
    light_thread waiter([&] { feb::read_ff(&w); });
    wait_for_waiters(1);
    testing::internal::CaptureStderr();
    feb::report_waiters(4);
    const std::string text = testing::internal::GetCapturedStderr();
    char address[32];
    std::snprintf(address, sizeof address, "%p", static_cast<void*>(&w));
    EXPECT_NE(text.find(address), std::string::npos) << text;
    EXPECT_NE(text.find("to be full"), std::string::npos) << text;
    feb::fill(&w);
    waiter.join();
    testing::internal::CaptureStderr();
    feb::report_waiters(4);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(feb, hands_values_over)
{
    artel::feb<std::unique_ptr<int>> box;
    EXPECT_FALSE(box.is_full());
    light_thread producer([&] {
        for (int i = 0; i < 1000; ++i) {
            box.write_ef(std::make_unique<int>(i));
        }
    });
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(*box.read_fe(), i);
    }
    producer.join();
    std::unique_ptr<int> p;
    EXPECT_FALSE(box.try_read_fe(p));
    box.write_f(std::make_unique<int>(1));
    box.write_f(std::make_unique<int>(2));
    EXPECT_FALSE(box.try_write_ef(p));
    EXPECT_TRUE(box.try_read_fe(p));
    EXPECT_EQ(*p, 2);
}

TEST(feb, every_value_goes_to_one_waiter)
{
    artel::feb<int> word;
    std::atomic<int> begun{0};
    std::vector<light_thread> takers;
    std::vector<int> got(4, -1);
    for (int i = 0; i < 4; ++i) {
        takers.emplace_back([&, i] {
            ++begun;
            got[static_cast<std::size_t>(i)] = word.read_fe();
        });
    }
    while (begun != 4) {
        this_light_thread::yield();
    }
    for (int i = 0; i < 4; ++i) {
        word.write_ef(i);
    }
    for (light_thread& t : takers) {
        t.join();
    }
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, (std::vector<int>{0, 1, 2, 3}));
    word.write_ef(5);
    word.write_ff(6);
    EXPECT_EQ(word.read_ff(), 6);
    EXPECT_EQ(word.read_ff(), 6);
    word.purge();
    EXPECT_FALSE(word.is_full());
}

TEST(feb, many_producers_and_consumers_lose_nothing)
{
    artel::feb<int> word;
    constexpr int each = 2000;
    constexpr int threads = 8;
    std::atomic<long> sum{0};
    std::vector<light_thread> all;
    for (int t = 0; t < threads; ++t) {
        all.emplace_back([&, t] {
            for (int i = 0; i < each; ++i) {
                word.write_ef(t * each + i);
            }
        });
        all.emplace_back([&] {
            for (int i = 0; i < each; ++i) {
                sum += word.read_fe();
            }
        });
    }
    for (light_thread& t : all) {
        t.join();
    }
    const long n = static_cast<long>(threads) * each;
    EXPECT_EQ(sum, n * (n - 1) / 2);
}

TEST(sinc, waits_for_all_that_is_expected)
{
    artel::sinc s(1);
    std::atomic<int> done{0};
    for (int i = 0; i < 100; ++i) {
        s.expect();
        light_thread([&] {
            ++done;
            s.submit();
        }).detach();
    }
    EXPECT_FALSE(s.is_complete());
    s.submit();
    s.wait();
    EXPECT_EQ(done, 100);
}

TEST(sinc, reduces)
{
    artel::reducing_sinc<long> s(100, 1000);
    for (int i = 0; i < 100; ++i) {
        light_thread([&, i] { s.submit(i); }).detach();
    }
    EXPECT_EQ(s.wait(), 1000 + 4950);
    s.reset(1);
    s.submit(5);
    EXPECT_EQ(s.wait(), 1005);
}

}  // namespace
