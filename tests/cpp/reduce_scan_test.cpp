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
