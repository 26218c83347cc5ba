// parallel_for: exceptions, stops, and limits of threads, nodes and ranges.
#include "support.hpp"

#include <chrono>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <ranges>
#include <stop_token>
#include <string>

TEST(parallel_for, an_exception_reaches_the_caller_once)
{
    test::with_partitioners([](const auto& how) {
        for (const int culprit : {0, 1, 499, 998, 999}) {
            std::atomic<int> ran{0};
            int caught = 0;
            try {
                artel::parallel_for(
                    0, 1000,
                    [&](int i) {
                        ++ran;
                        if (i == culprit) {
                            throw test::failure(i);
                        }
                    },
                    how);
            } catch (const test::failure& f) {
                ++caught;
                EXPECT_EQ(f.number, culprit);
            }
            EXPECT_EQ(caught, 1);
            EXPECT_GE(ran, 1);
        }
    });
}

TEST(parallel_for, one_of_many_exceptions_reaches_the_caller)
{
    for (int round = 0; round < 200; ++round) {
        EXPECT_THROW(artel::parallel_for(0, 64, [](int i) { throw test::failure(i); }),
                     test::failure);
    }
}

TEST(parallel_for, an_exception_ends_the_rest)
{
    std::atomic<int> ran{0};
    EXPECT_THROW(artel::parallel_for(
                     0, 1000000,
                     [&](int) {
                         if (++ran == 10) {
                             throw test::failure(0);
                         }
                         test::work_for(std::chrono::microseconds(1));
                     },
                     artel::simple{}),
                 test::failure);
    EXPECT_LT(ran, 1000000);
}

TEST(parallel_for, exceptions_pass_through_nested_loops)
{
    std::atomic<int> caught_inside{0};
    EXPECT_THROW(artel::parallel_for(0, 20,
                                     [&](int i) {
                                         try {
                                             artel::parallel_for(0, 20, [&](int j) {
                                                 if (j == 7) {
                                                     throw test::failure(i);
                                                 }
                                             });
                                         } catch (const test::failure& f) {
                                             EXPECT_EQ(f.number, i);
                                             ++caught_inside;
                                             if (i == 13) {
                                                 throw;
                                             }
                                         }
                                     }),
                 test::failure);
    EXPECT_GE(caught_inside, 1);
}

TEST(parallel_for, loops_work_inside_a_handler)
{
    for (int round = 0; round < 100; ++round) {
        try {
            throw test::failure(round);
        } catch (...) {
            std::atomic<int> sum{0};
            artel::parallel_for(0, 100, [&](int i) {
                try {
                    throw test::failure(i);
                } catch (const test::failure& f) {
                    artel::this_light_thread::yield();
                    EXPECT_EQ(f.number, i);
                    sum += f.number;
                }
            });
            EXPECT_EQ(sum, 4950);
            try {
                throw;
            } catch (const test::failure& again) {
                EXPECT_EQ(again.number, round);
            }
        }
    }
}

TEST(parallel_for, keeps_to_the_concurrency_asked_for)
{
    for (const unsigned most : {1u, 2u, 3u}) {
        test::attendance inside;
        artel::parallel_for(
            0, 300,
            [&](int) {
                inside.enter();
                test::work_for(std::chrono::microseconds(5));
                inside.leave();
            },
            artel::simple{}, artel::limit{.concurrency = most});
        EXPECT_LE(inside.most(), most);
    }
}

TEST(parallel_for, takes_numa_nodes_and_ignores_those_that_do_not_exist)
{
    for (const std::vector<unsigned>& nodes : {std::vector<unsigned>{0}, {0, 77}, {77}}) {
        test::counted c(1000);
        artel::parallel_for(
            0, 1000, [&](int i) { c.hit(static_cast<std::size_t>(i)); }, artel::automatic{},
            artel::limit{.numas = nodes});
        c.expect(1);
    }
}

TEST(parallel_for, ends_early_when_asked_to_stop)
{
    // Static shares are not interrupted: they have few iterations here.
    const char* const chosen = std::getenv("ARTEL_LOOP");
    const bool static_by_default = chosen != nullptr && chosen == std::string("static");
    test::with_partitioners([&](const auto& how) {
        const bool of_the_environment = std::is_same_v<decltype(how), const artel::automatic&>;
        const bool is_static = std::is_same_v<decltype(how), const artel::static_&> ||
                               (of_the_environment && static_by_default);
        const long count = is_static ? 10000 : 100000000;
        std::stop_source source;
        std::atomic<long> ran{0};
        artel::parallel_for(
            0L, count,
            [&](long) {
                // Each that comes later asks, too: the first one may lose its CPU before it does.
                if (++ran >= 100) {
                    source.request_stop();
                }
            },
            how, artel::limit{.stop = source.get_token()});
        EXPECT_GE(ran, 100);
        if (!is_static) {
            EXPECT_LT(ran, count);
        }
    });
    std::stop_source before;
    before.request_stop();
    bool called = false;
    artel::parallel_for(
        0, 100, [&](int) { called = true; }, artel::automatic{},
        artel::limit{.stop = before.get_token()});
    EXPECT_FALSE(called);
}

TEST(c_interface, loop)
{
    std::vector<int> v(10000, 1);
    artel_parallel_for(
        0, 10000, 16,
        [](void* context, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                static_cast<int*>(context)[i] += 1;
            }
        },
        v.data());
    EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 20000);
}

TEST(parallel_for, distances_that_the_index_type_cannot_say)
{
    // Four billion iterations of int; pieces only, so that it does not take seconds.
    std::atomic<std::int64_t> iterations{0};
    std::atomic<bool> inside{true};
    artel::parallel_for(
        artel::blocked_range<int>(-2000000000, 2000000000),
        [&](const artel::blocked_range<int>& r) {
            iterations += static_cast<std::int64_t>(r.end()) - r.begin();
            inside = inside && r.begin() < r.end();
        },
        artel::static_{});
    EXPECT_EQ(iterations, 4000000000);
    EXPECT_TRUE(inside);
    std::atomic<int> bytes{0};
    artel::parallel_for(std::int8_t{-128}, std::int8_t{127}, [&](std::int8_t) { ++bytes; });
    EXPECT_EQ(bytes, 255);
}

TEST(parallel_for, refuses_more_iterations_than_it_can_count)
{
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    std::atomic<int> ran{0};
    const auto body = [&](auto) { ++ran; };
    EXPECT_THROW(artel::parallel_for(least, most, body), std::length_error);
    EXPECT_THROW(artel::parallel_for(std::uint64_t{0}, std::uint64_t{1} << 63, body),
                 std::length_error);
    EXPECT_THROW(
        artel::parallel_for(artel::blocked_range<std::uint64_t>(0, ~std::uint64_t{0}), body),
        std::length_error);
    EXPECT_THROW(artel::parallel_for(least, most, std::int64_t{1}, body), std::length_error);
    EXPECT_THROW(artel::parallel_for(std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}, body),
                 std::length_error);
    EXPECT_THROW(artel::parallel_for(std::views::iota(std::uint64_t{0}, ~std::uint64_t{0}), body),
                 std::length_error);
    EXPECT_EQ(ran, 0);
}
