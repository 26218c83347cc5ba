// parallel_reduce and parallel_scan against the plain loops.
#include "support.hpp"

#include <functional>
#include <numeric>
#include <string>

TEST(parallel_reduce, sums)
{
    for (const int n : {0, 1, 2, 17, 1000, 100000}) {
        const long expected = static_cast<long>(n) * (n - 1) / 2;
        EXPECT_EQ(artel::parallel_reduce(
                      0, n, 0L, [](int i) { return static_cast<long>(i); }, std::plus<>{}),
                  expected);
        EXPECT_EQ(artel::parallel_reduce(
                      artel::blocked_range<int>(0, n), 0L,
                      [](const auto& block, long sum) {
                          for (int i = block.begin(); i < block.end(); ++i) {
                              sum += i;
                          }
                          return sum;
                      },
                      std::plus<>{}),
                  expected);
    }
}

// Concatenation is associative and not commutative.
TEST(parallel_reduce, joins_in_order)
{
    const int n = 3000;
    std::string expected;
    for (int i = 0; i < n; ++i) {
        expected += static_cast<char>('a' + i % 26);
    }
    const auto letters = [&](const auto& how) {
        for (int round = 0; round < 20; ++round) {
            const std::string got = artel::parallel_reduce(
                0, n, std::string(),
                [&](int i) {
                    if (i % 100 == 0) {
                        test::work_for(std::chrono::microseconds(20));
                    }
                    return std::string(1, static_cast<char>('a' + i % 26));
                },
                [](std::string left, const std::string& right) { return std::move(left) + right; },
                how);
            ASSERT_EQ(got, expected);
        }
    };
    test::with_all_algorithms(letters);
    letters(artel::simple{.grain = 5});
}

TEST(parallel_reduce, static_gives_the_same_bits_every_time)
{
    std::vector<double> v(10007);
    for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] = 1.0 / static_cast<double>(i + 1);
    }
    const auto sum = [&] {
        return artel::parallel_reduce(
            std::size_t{0}, v.size(), 0.0, [&](std::size_t i) { return v[i]; }, std::plus<>{},
            artel::static_{});
    };
    const double first = sum();
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(sum(), first);
    }
}

TEST(parallel_reduce, exceptions_of_body_and_join_reach_the_caller)
{
    for (int round = 0; round < 50; ++round) {
        EXPECT_THROW(static_cast<void>(artel::parallel_reduce(
                         0, 1000, 0,
                         [](int i) {
                             if (i == 500) {
                                 throw test::failure(i);
                             }
                             return i;
                         },
                         std::plus<>{})),
                     test::failure);
        EXPECT_THROW(static_cast<void>(artel::parallel_reduce(
                         0, 1000, 0, [](int i) { return i; },
                         [](int a, int b) {
                             if (b == 999) {
                                 throw test::failure(b);
                             }
                             return a + b;
                         })),
                     test::failure);
    }
}

TEST(parallel_scan, inclusive_sums)
{
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{1000}, std::size_t{54321}}) {
        std::vector<long> in(n);
        std::iota(in.begin(), in.end(), 1);
        std::vector<long> out(n, -1);
        std::vector<long> expected(n);
        std::partial_sum(in.begin(), in.end(), expected.begin());
        const long total = artel::parallel_scan(
            artel::blocked_range<std::size_t>(0, n), 0L,
            [&](const auto& block, long before, bool is_final) {
                for (std::size_t i = block.begin(); i < block.end(); ++i) {
                    before += in[i];
                    if (is_final) {
                        out[i] = before;
                    }
                }
                return before;
            },
            std::plus<>{}, 10);
        EXPECT_EQ(out, expected);
        EXPECT_EQ(total, n == 0 ? 0 : expected.back());
    }
}

TEST(parallel_scan, joins_in_order)
{
    const std::size_t n = 500;
    std::vector<std::string> out(n);
    artel::parallel_scan(
        artel::blocked_range<std::size_t>(0, n), std::string(),
        [&](const auto& block, std::string before, bool is_final) {
            for (std::size_t i = block.begin(); i < block.end(); ++i) {
                before += static_cast<char>('a' + i % 26);
                if (is_final) {
                    out[i] = before;
                }
            }
            return before;
        },
        std::plus<>{}, 1);
    for (std::size_t i = 1; i < n; ++i) {
        ASSERT_EQ(out[i], out[i - 1] + static_cast<char>('a' + i % 26));
    }
}

// Of few elements, too, when they are dear, and no grain is asked for.
TEST(parallel_scan, shares_few_elements_that_are_dear)
{
    if (artel::concurrency() == 1) {
        GTEST_SKIP() << "for two workers and more";
    }
    constexpr std::size_t n = 50;
    std::vector<long> out(n);
    std::vector<int> written(n);
    std::atomic<int> not_final{0};
    const long total = artel::parallel_scan(
        artel::blocked_range<std::size_t>(0, n), 0L,
        [&](const auto& block, long before, bool is_final) {
            not_final += is_final ? 0 : 1;
            for (std::size_t i = block.begin(); i < block.end(); ++i) {
                const std::uint64_t begin = artel::detail::cycles();
                while (artel::detail::cycles() - begin < 50000) {
                }
                before += static_cast<long>(i);
                if (is_final) {
                    out[i] = before;
                    ++written[i];
                }
            }
            return before;
        },
        std::plus<>{});
    EXPECT_EQ(total, 49 * 50 / 2);
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(out[i], static_cast<long>(i * (i + 1) / 2));
        EXPECT_EQ(written[i], 1);
    }
    // One worker alone never looks at an element twice.
    EXPECT_GE(not_final, 1);
}

TEST(parallel_scan, finds_out_what_elements_cost_in_ranges_of_any_length)
{
    for (std::int64_t n = 0; n < 5000; n = n * 3 / 2 + 1) {
        std::vector<long> out(static_cast<std::size_t>(n), -1);
        const long total = artel::parallel_scan(
            artel::blocked_range<std::int64_t>(-n, 0), 0L,
            [&](const auto& block, long before, bool is_final) {
                for (std::int64_t i = block.begin(); i < block.end(); ++i) {
                    before += i;
                    if (is_final) {
                        out[static_cast<std::size_t>(i + n)] = before;
                    }
                    const std::uint64_t begin = artel::detail::cycles();
                    while (i % 16 == 0 && artel::detail::cycles() - begin < 5000) {
                    }
                }
                return before;
            },
            std::plus<>{});
        EXPECT_EQ(total, -n * (n + 1) / 2);
        long sum = 0;
        for (std::int64_t i = -n; i < 0; ++i) {
            sum += i;
            ASSERT_EQ(out[static_cast<std::size_t>(i + n)], sum);
        }
    }
}

TEST(parallel_scan, an_exception_reaches_the_caller)
{
    EXPECT_THROW(artel::parallel_scan(
                     artel::blocked_range<int>(0, 1000), 0,
                     [&](const auto& block, int before, bool) {
                         if (block.end() == 1000) {
                             throw test::failure(1);
                         }
                         return before;
                     },
                     std::plus<>{}, 1),
                 test::failure);
}

TEST(parallel_reduce, keeps_the_order_when_short_loops_are_run_alone)
{
    for (int i = 0; i < 200; ++i) {
        const auto text = artel::parallel_reduce(
            0, 26, std::string(),
            [](int at) { return std::string(1, static_cast<char>('a' + at)); },
            [](std::string left, const std::string& right) { return std::move(left) + right; });
        ASSERT_EQ(text, "abcdefghijklmnopqrstuvwxyz");
    }
}

// What has not begun when a stop is requested is dropped, also where one worker runs all of it.
TEST(parallel_scan, a_stop_ends_it_early)
{
    for (const std::int64_t grain : {0, 1, 100, 100000}) {
        for (const int stop_at : {-1, 0, 500}) {
            std::stop_source source;
            if (stop_at < 0) {
                source.request_stop();
            }
            std::atomic<int> elements{0};
            const artel::limit limits{.stop = source.get_token()};
            artel::parallel_scan(
                artel::blocked_range<int>(0, 100000), 0,
                [&](const auto& piece, int before, bool) {
                    for (int i = piece.begin(); i < piece.end(); ++i) {
                        ++elements;
                        if (i == stop_at) {
                            source.request_stop();
                        }
                    }
                    return before;
                },
                std::plus<>{}, grain, limits);
            if (stop_at < 0) {
                EXPECT_EQ(elements, 0);
            } else if (artel::concurrency() == 1 && grain < 100000) {
                EXPECT_LT(elements, 100000);
            }
        }
    }
}
