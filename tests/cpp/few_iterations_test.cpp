// Loops of as many iterations as workers, or fewer, inside a crew that has nobody to spare.
// Programs let such iterations wait for each other.
#include "support.hpp"
#include "work.hpp"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>
#include <utility>

// parallel_for does not promise it, but programs rely on it: as many iterations as workers get
// going, whatever the others wait for.
TEST(busy_crew, few_iterations_may_meet_each_other)
{
    const auto n = static_cast<int>(test::workers());
    // Every iteration that waits is a fiber, and ThreadSanitizer ends programs that have had 8128
    // at a time.
#if defined(__SANITIZE_THREAD__)
    const int every = n > 16 ? n / 16 : 1;
#else
    const int every = 1;
#endif
    std::atomic<int> met{0};
    test::on_all_workers([&](int place) {
        for (int turn = 0; turn < 20 && place % every == 0; ++turn) {
            artel::barrier<> meeting(n);
            artel::parallel_for(0, n, [&](int) {
                meeting.arrive_and_wait();
                ++met;
            });
        }
    });
    EXPECT_EQ(met, (n + every - 1) / every * n * 20);
}

TEST(busy_crew, few_iterations_that_spin_on_each_other_are_joined_by_who_becomes_free)
{
    if (test::workers() == 1) {
        GTEST_SKIP() << "nobody to join";
    }
    for (int turn = 0; turn < 50; ++turn) {
        test::on_all_workers([&](int place) {
            if (place != 0) {
                test::work_for(std::chrono::microseconds(100));
                return;
            }
            std::atomic<int> begun{0};
            artel::parallel_for(0, 2, [&](int) {
                ++begun;
                while (begun < 2) {
                    std::this_thread::yield();
                }
            });
        });
    }
}

TEST(busy_crew, few_iterations_have_participants_numbers_of_their_own)
{
    const auto n = static_cast<int>(test::workers());
    test::on_all_workers([&](int) {
        for (int turn = 0; turn < 50; ++turn) {
            const long sum = artel::parallel_reduce(
                0, n, 0L,
                [](int i) {
                    if (i % 3 == 1) {
                        test::work_for(std::chrono::microseconds(5));
                    }
                    return static_cast<long>(i);
                },
                std::plus<>());
            EXPECT_EQ(sum, static_cast<long>(n) * (n - 1) / 2);
        }
    });
}

TEST(busy_crew,
     an_exception_of_few_iterations_reaches_the_caller_when_nobody_is_in_the_loop_any_more)
{
    const auto n = static_cast<int>(test::workers());
    std::atomic<int> caught{0};
    test::on_all_workers([&](int place) {
        test::delays d(static_cast<std::uint64_t>(place));
        for (int turn = 0; turn < 100; ++turn) {
            std::atomic<int> inside{0};
            std::atomic<int> thrown{0};
            const auto delay = d.next(20000);
            try {
                artel::parallel_for(0, n, [&](int i) {
                    ++inside;
                    test::work_for(delay);
                    --inside;
                    if ((i + turn) % 2 == 0) {
                        ++thrown;
                        throw test::failure(i);
                    }
                });
                EXPECT_EQ(thrown, 0);
            } catch (const test::failure&) {
                ++caught;
                EXPECT_GE(thrown, 1);
            }
            EXPECT_EQ(inside, 0);
        }
    });
    EXPECT_EQ(caught, n == 1 ? 50 : 100 * n);
}

TEST(busy_crew, the_first_exception_of_few_iterations_reaches_the_caller)
{
    if (test::workers() == 1 || std::getenv("ARTEL_LOOP") != nullptr) {
        GTEST_SKIP() << "iterations may follow each other";
    }
    // On a loaded machine nobody may come to run the other iteration meanwhile, so it is tried more
    // than once; each turn from another place, where nothing is known of who comes.
    std::atomic<int> together{0};
    const auto turn = [&]<int place>(std::integral_constant<int, place>) {
        test::on_all_workers([&](int worker) {
            if (worker != 0) {
                test::work_for(std::chrono::microseconds(200));
                return;
            }
            std::atomic<int> first{-1};
            std::atomic<bool> thrown{false};
            try {
                artel::parallel_for(0, 2, [&](int i) {
                    if (i == 0) {
                        const auto deadline = std::chrono::steady_clock::now() +
                                              std::chrono::milliseconds(20);
                        while (!thrown && std::chrono::steady_clock::now() < deadline) {
                            std::this_thread::yield();
                        }
                        test::work_for(std::chrono::milliseconds(2));
                        together += thrown ? 1 : 0;
                    }
                    int none = -1;
                    first.compare_exchange_strong(none, i);
                    thrown = true;
                    throw test::failure(i);
                });
                FAIL() << "no exception";
            } catch (const test::failure& failure) {
                EXPECT_EQ(failure.number, first);
            }
        });
    };
    const auto all = [&]<int... places>(std::integer_sequence<int, places...>) {
        (turn(std::integral_constant<int, places>()), ...);
    };
    for (int attempt = 0; attempt < 10 && together == 0; ++attempt) {
        all(std::make_integer_sequence<int, 8>());
    }
    EXPECT_GT(together, 0);
}
