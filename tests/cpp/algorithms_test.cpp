// Every algorithm of loops at every width: each iteration exactly once, whatever the range, delays,
// thefts, exceptions and stops. Widths are limits of concurrency up to that of the crew, which
// ctest makes 1, 2, 4 and 64.
#include "iterations.hpp"
#include "support.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

using test::dawdle;
using test::hits;
using test::pieces;

namespace {

// One test for each partitioner.
template <class P>
class every_algorithm : public testing::Test {};

struct names {
    template <class P>
    static std::string GetName(int)
    {
        static constexpr std::array words{"automatic", "static",   "simple",
                                          "dynamic",   "guided",   "lazy",
                                          "heartbeat", "timespan", "timespan_grain"};
        return words[static_cast<std::size_t>(P::algorithm)];
    }
};

using partitioners = testing::Types<artel::automatic, artel::static_, artel::simple, artel::dynamic,
                                    artel::guided, artel::lazy, artel::heartbeat, artel::timespan,
                                    artel::timespan_grain>;
TYPED_TEST_SUITE(every_algorithm, partitioners, names);

}  // namespace

TYPED_TEST(every_algorithm, runs_each_iteration_once_at_every_width)
{
    for (unsigned width = 1; width <= test::workers(); ++width) {
        const std::size_t p = width;
        for (const std::size_t n : {std::size_t{0}, std::size_t{1}, p - 1, p, p + 1, 7 * p + 3}) {
            hits h(n);
            artel::parallel_for(
                std::size_t{0}, n,
                [&](std::size_t i) {
                    dawdle(i, n + width);
                    h.add(i);
                },
                TypeParam{}, artel::limit{.concurrency = width});
            ASSERT_EQ(h.at_most_once_each(), static_cast<long>(n)) << "width " << width;
        }
    }
}

TYPED_TEST(every_algorithm, keeps_to_the_width)
{
    for (unsigned width = 1; width <= std::min(test::workers(), 5u); ++width) {
        test::attendance inside;
        artel::parallel_for(
            0, 200,
            [&](int) {
                inside.enter();
                test::work_for(std::chrono::microseconds(3));
                inside.leave();
            },
            TypeParam{}, artel::limit{.concurrency = width});
        EXPECT_LE(inside.most(), width);
    }
}

TYPED_TEST(every_algorithm, covers_two_to_the_40_iterations_in_pieces)
{
    const std::int64_t n = (std::int64_t{1} << 40) + 12345;
    for (const unsigned width : {1u, 2u, 3u, 64u}) {
        pieces p;
        artel::parallel_for(
            artel::blocked_range<std::int64_t>(0, n),
            [&](const auto& r) {
                dawdle(static_cast<std::size_t>(r.begin()), width);
                p.add(r);
            },
            TypeParam{.grain = n / 300}, artel::limit{.concurrency = width});
        EXPECT_EQ(p.without_overlap(), n) << "width " << width;
    }
}

// Iterations so many that only a stop can end them; grains as small as they come.
TYPED_TEST(every_algorithm, a_stop_ends_two_to_the_40_iterations_and_none_is_run_twice)
{
    for (int round = 0; round < 5; ++round) {
        std::stop_source enough;
        std::atomic<int> calls{0};
        pieces p;
        artel::parallel_for(
            artel::blocked_range<std::int64_t>(0, std::int64_t{1} << 40),
            [&](const auto& r) {
                p.add(r);
                if (++calls == 50 * round + 1) {
                    enough.request_stop();
                }
            },
            TypeParam{}, artel::limit{.stop = enough.get_token()});
        EXPECT_GE(p.without_overlap(), 1);
    }
}

TYPED_TEST(every_algorithm, a_stop_at_any_moment_leaves_what_has_run_run_once)
{
    const std::size_t n = 2000;
    for (std::size_t when = 0; when < n; when += 211) {
        std::stop_source enough;
        hits h(n);
        std::atomic<long> ran{0};
        artel::parallel_for(
            std::size_t{0}, n,
            [&](std::size_t i) {
                dawdle(i, when);
                h.add(i);
                ++ran;
                if (i == when) {
                    enough.request_stop();
                }
            },
            TypeParam{}, artel::limit{.stop = enough.get_token()});
        EXPECT_EQ(h.at_most_once_each(), ran);
    }
}

TYPED_TEST(every_algorithm, an_exception_comes_once_and_no_iteration_twice)
{
    for (unsigned width = 1; width <= test::workers(); width = width * 2 + (width == 2 ? 1 : 0)) {
        for (const std::size_t culprit : {std::size_t{0}, std::size_t{1}, std::size_t{250},
                                          std::size_t{498}, std::size_t{499}}) {
            hits h(500);
            std::atomic<long> ran{0};
            int caught = 0;
            try {
                artel::parallel_for(
                    std::size_t{0}, std::size_t{500},
                    [&](std::size_t i) {
                        h.add(i);
                        ++ran;
                        dawdle(i, culprit);
                        if (i == culprit) {
                            throw test::failure(static_cast<int>(i));
                        }
                    },
                    TypeParam{}, artel::limit{.concurrency = width});
            } catch (const test::failure& f) {
                ++caught;
                EXPECT_EQ(f.number, static_cast<int>(culprit));
            }
            EXPECT_EQ(caught, 1);
            EXPECT_EQ(h.at_most_once_each(), ran);
            // The next loop from the same place has nothing left of this one.
            std::atomic<int> after{0};
            artel::parallel_for(
                0, 300, [&](int) { ++after; }, TypeParam{}, artel::limit{.concurrency = width});
            EXPECT_EQ(after, 300);
        }
    }
}

TYPED_TEST(every_algorithm, can_be_nested)
{
    hits h(std::size_t{30} * 40 * 5);
    artel::parallel_for(
        std::size_t{0}, std::size_t{30},
        [&](std::size_t i) {
            artel::parallel_for(
                std::size_t{0}, std::size_t{40},
                [&](std::size_t j) {
                    artel::parallel_for(
                        std::size_t{0}, std::size_t{5},
                        [&](std::size_t k) { h.add((i * 40 + j) * 5 + k); }, TypeParam{});
                },
                TypeParam{});
        },
        TypeParam{});
    EXPECT_EQ(h.at_most_once_each(), 30 * 40 * 5);
}

// Iterations that wait are suspended, and their workers run others of the same loop meanwhile.
TYPED_TEST(every_algorithm, iterations_may_be_suspended)
{
    hits h(300);
    artel::parallel_for(
        std::size_t{0}, std::size_t{300},
        [&](std::size_t i) {
            if (i % 3 == 0) {
                artel::this_light_thread::yield();
            }
            if (i % 97 == 0) {
                artel::this_light_thread::sleep_for(std::chrono::microseconds(200));
            }
            h.add(i);
        },
        TypeParam{});
    EXPECT_EQ(h.at_most_once_each(), 300);
}

// Calls with one number are never concurrent: an unprotected sum per participant comes out right.
TYPED_TEST(every_algorithm, participants_are_alone_under_their_number)
{
    for (int round = 0; round < 10; ++round) {
        const long got = artel::parallel_reduce(
            0, 3000, 0L,
            [&](int i) {
                dawdle(static_cast<std::size_t>(i), 5);
                if (i % 100 == 0) {
                    artel::this_light_thread::yield();
                }
                return static_cast<long>(i);
            },
            std::plus<>{}, TypeParam{});
        ASSERT_EQ(got, 3000L * 2999 / 2);
    }
}

TYPED_TEST(every_algorithm, serves_several_threads_at_once)
{
    test::on_threads(4, [](unsigned number) {
        for (std::size_t round = 0; round < 20; ++round) {
            hits h(200);
            artel::parallel_for(
                std::size_t{0}, std::size_t{200},
                [&](std::size_t i) {
                    dawdle(i, number + round);
                    h.add(i);
                },
                TypeParam{});
            EXPECT_EQ(h.at_most_once_each(), 200);
        }
    });
}

// All of the time is in the first iterations: somebody else must get at them.
TYPED_TEST(every_algorithm, others_get_at_work_that_is_all_in_one_place)
{
    if (test::workers() == 1 || TypeParam::algorithm == artel::detail::loop_algorithm::static_) {
        GTEST_SKIP() << "nobody to take it";
    }
    std::mutex lock;
    std::vector<std::thread::id> threads;
    for (int attempt = 0; attempt < 50 && threads.size() < 2; ++attempt) {
        // Where other programs have the CPUs, whoever is woken waits for a time slice; and by
        // halves one gets there only step by step.
        const std::chrono::milliseconds dear{1 + attempt / 4};
        artel::parallel_for(
            0, 20 * static_cast<int>(test::workers()),
            [&](int i) {
                if (i < 20) {
                    test::work_for(dear);
                    const std::scoped_lock hold(lock);
                    if (std::find(threads.begin(), threads.end(), std::this_thread::get_id()) ==
                        threads.end()) {
                        threads.push_back(std::this_thread::get_id());
                    }
                }
            },
            TypeParam{});
    }
    EXPECT_GT(threads.size(), 1u);
}

// ctest runs this with and without ARTEL_LOOP.
TEST(chosen_algorithm, is_that_of_the_environment_for_the_default_only)
{
    const char* const chosen = std::getenv("ARTEL_LOOP");
    const auto sizes = [](const auto& how) {
        std::mutex lock;
        std::vector<std::size_t> all;
        artel::parallel_for(
            artel::blocked_range<int>(0, 703),
            [&](const auto& r) {
                const std::scoped_lock hold(lock);
                all.push_back(r.size());
            },
            how);
        std::sort(all.begin(), all.end());
        return all;
    };
    std::vector<std::size_t> sevens(100, 7);
    sevens.insert(sevens.begin(), 3);
    if (chosen != nullptr && chosen == std::string("dynamic,7")) {
        EXPECT_EQ(sizes(artel::automatic{}), sevens);
        EXPECT_NE(sizes(artel::static_{}), sevens);
    } else {
        EXPECT_NE(sizes(artel::automatic{}), sevens);
        EXPECT_EQ(sizes(artel::dynamic{.grain = 7}), sevens);
    }
    if (chosen != nullptr && chosen == std::string("static")) {
        EXPECT_EQ(sizes(artel::automatic{}), sizes(artel::static_{}));
    }
}
