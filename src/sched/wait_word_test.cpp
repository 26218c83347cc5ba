// wait_word and the one-shot latch, from external threads; light threads are tested through the
// public interface in tests/cpp.
#include "sched/wait_word.hpp"

#include "sched/alarm.hpp"
#include "sched/latch.hpp"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {

using artel::sched::wait_word;
using artel::sched::wake_word;

using word = std::atomic<std::uint32_t>;

void wait_until(const std::atomic<int>& count, int value)
{
    while (count < value) {
        std::this_thread::yield();
    }
}

}  // namespace

TEST(wait_word, does_not_wait_for_another_value)
{
    word w{1};
    EXPECT_FALSE(wait_word(w, 0));
    EXPECT_EQ(wake_word(w, 1), 0u);
}

TEST(wait_word, wakes_as_many_as_asked)
{
    word w{0};
    std::atomic<int> through{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 5; ++i) {
        threads.emplace_back([&] {
            wait_word(w, 0);
            ++through;
        });
    }
    while (artel::sched::words_waited_on() < 5) {
        std::this_thread::yield();
    }
    EXPECT_EQ(wake_word(w, 2), 2u);
    wait_until(through, 2);
    EXPECT_EQ(artel::sched::words_waited_on(), 3u);
    EXPECT_EQ(through, 2);
    EXPECT_EQ(wake_word(w, artel::sched::wake_all), 3u);
    for (std::thread& t : threads) {
        t.join();
    }
}

TEST(wait_word, wakes_only_waiters_of_the_word)
{
    std::vector<word> words(2000);  // more than buckets, so that some share one
    std::atomic<int> through{0};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 20; ++i) {
        threads.emplace_back([&, i] {
            wait_word(words[i * 100], 0);
            ++through;
        });
    }
    while (artel::sched::words_waited_on() < 20) {
        std::this_thread::yield();
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i % 100 != 0) {
            EXPECT_EQ(wake_word(words[i], artel::sched::wake_all), 0u);
        }
    }
    EXPECT_EQ(through, 0);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(wake_word(words[i * 100], 1), 1u);
    }
    for (std::thread& t : threads) {
        t.join();
    }
}

// Each side waits for the other's change: one lost wake-up stops it.
TEST(wait_word, loses_no_wake_up)
{
    word turn{0};
    constexpr std::uint32_t rounds = 3000;
    const auto play = [&](std::uint32_t parity) {
        for (std::uint32_t i = parity; i < rounds; i += 2) {
            for (std::uint32_t now = turn.load(); now != i; now = turn.load()) {
                wait_word(turn, now);
            }
            turn.store(i + 1);
            wake_word(turn, 1);
        }
    };
    std::thread other(play, 1);
    play(0);
    other.join();
    EXPECT_EQ(turn, rounds);
    EXPECT_EQ(artel::sched::words_waited_on(), 0u);
}

TEST(one_shot_latch, set_before_during_and_after_the_wait)
{
    for (int round = 0; round < 2000; ++round) {
        artel::sched::latch l;
        int value = 0;
        std::thread setter([&] {
            value = 1;
            EXPECT_FALSE(l.set());
        });
        if (round % 2 == 0) {
            std::this_thread::yield();
        }
        l.wait();
        EXPECT_EQ(value, 1);
        EXPECT_TRUE(l.is_set());
        setter.join();
    }
}

TEST(one_shot_latch, abandoned_by_either_side)
{
    artel::sched::latch first;
    EXPECT_TRUE(first.abandon());
    EXPECT_TRUE(first.set());
    artel::sched::latch second;
    EXPECT_FALSE(second.set());
    EXPECT_FALSE(second.abandon());
}

TEST(wait_word, gives_up_at_the_deadline)
{
    using artel::sched::now;
    using artel::sched::wait_word_until;
    word w{0};
    const artel::sched::moment begin = now();
    EXPECT_FALSE(wait_word_until(w, 0, begin - 1));
    EXPECT_FALSE(wait_word_until(w, 0, begin + 5000000));
    EXPECT_GE(now(), begin + 5000000);
    EXPECT_TRUE(wait_word_until(w, 1, begin));
    EXPECT_EQ(artel::sched::words_waited_on(), 0u);
    std::thread waker([&] {
        while (artel::sched::words_waited_on() == 0) {
            std::this_thread::yield();
        }
        EXPECT_EQ(wake_word(w, 1), 1u);
    });
    EXPECT_TRUE(wait_word_until(w, 0, begin + 3600000000000));
    waker.join();
}

// Deadlines and wake-ups at the same moments: exactly the waiters that a wake-up was counted for
// report it.
TEST(wait_word, a_wake_up_is_not_taken_by_who_gives_up)
{
    word w{0};
    std::atomic<unsigned> woken{0};
    std::atomic<unsigned> counted{0};
    std::atomic<bool> end{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            while (!end) {
                woken += artel::sched::wait_word_until(w, 0, artel::sched::now() + 20000) ? 1 : 0;
            }
        });
    }
    const auto until = artel::sched::now() + 200000000;
    while (artel::sched::now() < until) {
        counted += wake_word(w, 1);
    }
    end = true;
    for (std::thread& t : threads) {
        t.join();
    }
    EXPECT_EQ(woken, counted);
}
