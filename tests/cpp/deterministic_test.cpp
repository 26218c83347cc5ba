// parallel_deterministic_reduce and parallel_deterministic_scan: right, and the same bits at every
// width. What other numbers of workers give is checked by the constants: every process of this test
// has another crew and must find them.
#include "support.hpp"

#include <bit>
#include <functional>
#include <numeric>
#include <string>

namespace {

// Numbers of very different sizes, so that any other order of additions shows.
std::vector<double> awkward(std::size_t n)
{
    std::vector<double> v(n);
    std::uint64_t state = 1;
    for (double& x : v) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x = static_cast<double>(state >> 11) * (state & 1024 ? 1e-12 : 1e3);
    }
    return v;
}

double sum_of(const std::vector<double>& v, std::int64_t grain, unsigned width)
{
    return artel::parallel_deterministic_reduce(
        std::size_t{0}, v.size(), 0.0, [&](std::size_t i) { return v[i]; }, std::plus<>{}, grain,
        artel::limit{.concurrency = width});
}

// The same tree without any worker: blocks of `block`, joined in pairs.
double sum_in_pairs(const std::vector<double>& v, std::size_t block)
{
    std::vector<double> level;
    for (std::size_t i = 0; i < v.size(); i += block) {
        level.push_back(std::accumulate(
            v.begin() + static_cast<std::ptrdiff_t>(i),
            v.begin() + static_cast<std::ptrdiff_t>(std::min(i + block, v.size())), 0.0));
    }
    while (level.size() > 1) {
        std::vector<double> next;
        for (std::size_t i = 0; i < level.size(); i += 2) {
            next.push_back(i + 1 < level.size() ? level[i] + level[i + 1] : level[i]);
        }
        level = next;
    }
    return level.front();
}

}  // namespace

TEST(parallel_deterministic_reduce, gives_the_same_bits_at_every_width_and_in_every_run)
{
    const std::vector<double> v = awkward(100003);
    for (const std::size_t grain :
         {std::size_t{1}, std::size_t{98}, std::size_t{1000}, std::size_t{70000}}) {
        const double expected = sum_in_pairs(
            v, std::max<std::size_t>(grain, (v.size() - 1) / 1024 + 1));
        for (unsigned width = 1; width <= test::workers();
             width = width * 2 + (width == 2 ? 1 : 0)) {
            for (int round = 0; round < 10; ++round) {
                ASSERT_EQ(std::bit_cast<std::uint64_t>(
                              sum_of(v, static_cast<std::int64_t>(grain), width)),
                          std::bit_cast<std::uint64_t>(expected))
                    << "grain " << grain << ", width " << width;
            }
        }
    }
    // That the order matters for these numbers at all.
    EXPECT_NE(sum_in_pairs(v, 98), std::accumulate(v.begin(), v.end(), 0.0));
}

TEST(parallel_deterministic_reduce, joins_in_order_whatever_the_number_of_blocks)
{
    for (const int n : {0, 1, 2, 3, 5, 8, 31, 1000, 1024, 1025, 2500}) {
        std::string expected;
        for (int i = 0; i < n; ++i) {
            expected += static_cast<char>('a' + i % 26);
        }
        const auto join = [](std::string left, const std::string& right) {
            return std::move(left) + right;
        };
        EXPECT_EQ(artel::parallel_deterministic_reduce(
                      0, n, std::string(),
                      [](int i) {
                          if (i % 50 == 0) {
                              test::work_for(std::chrono::microseconds(5));
                          }
                          return std::string(1, static_cast<char>('a' + i % 26));
                      },
                      join),
                  expected);
        EXPECT_EQ(artel::parallel_deterministic_reduce(
                      artel::blocked_range<int>(0, n), std::string(),
                      [](const auto& piece, std::string value) {
                          for (int i = piece.begin(); i < piece.end(); ++i) {
                              value += static_cast<char>('a' + i % 26);
                          }
                          return value;
                      },
                      join, 7),
                  expected);
    }
}

TEST(parallel_deterministic_reduce, exceptions_of_body_and_join_reach_the_caller)
{
    for (int round = 0; round < 20; ++round) {
        EXPECT_THROW(static_cast<void>(artel::parallel_deterministic_reduce(
                         0, 1000, 0, [](int i) { return i == 500 ? throw test::failure(i) : i; },
                         std::plus<>{})),
                     test::failure);
        EXPECT_THROW(static_cast<void>(artel::parallel_deterministic_reduce(
                         0, 1000, 0, [](int i) { return i; },
                         [](int a, int b) { return b == 999 ? throw test::failure(b) : a + b; })),
                     test::failure);
    }
}

TEST(parallel_deterministic_reduce, ends_early_when_asked_to_stop)
{
    std::stop_source enough;
    std::atomic<int> ran{0};
    static_cast<void>(artel::parallel_deterministic_reduce(
        0, 1000000, 0,
        [&](int) {
            // Each that comes later asks, too: the first one may lose its CPU before it does.
            if (++ran >= 10) {
                enough.request_stop();
            }
            return 1;
        },
        std::plus<>{}, 1, artel::limit{.stop = enough.get_token()}));
    EXPECT_GE(ran, 10);
    EXPECT_LT(ran, 1000000);
}

TEST(parallel_deterministic_scan, gives_the_same_bits_at_every_width_and_in_every_run)
{
    const std::size_t n = 300001;
    const std::vector<double> v = awkward(n);
    const auto scan = [&](unsigned width) {
        std::vector<double> out(n);
        const double total = artel::parallel_deterministic_scan(
            artel::blocked_range<std::size_t>(0, n), 0.0,
            [&](const auto& piece, double before, bool is_final) {
                for (std::size_t i = piece.begin(); i < piece.end(); ++i) {
                    before += v[i];
                    if (is_final) {
                        out[i] = before;
                    }
                }
                return before;
            },
            std::plus<>{}, 1024, artel::limit{.concurrency = width});
        EXPECT_EQ(total, out.back());
        return out;
    };
    const std::vector<double> first = scan(1);
    for (unsigned width = 1; width <= test::workers(); width *= 2) {
        EXPECT_TRUE(scan(width) == first) << "width " << width;
    }
    // Blocks of 1024 elements, 256 of them at most: element 2000 is the second block's.
    double before = 0;
    const std::size_t block = n / 256 + 1;  // the first ones have one more
    ASSERT_EQ(n % 256 != 0, true);
    before = std::accumulate(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(block), 0.0);
    for (std::size_t i = block; i <= 2000; ++i) {
        before += v[i];
    }
    EXPECT_EQ(first[2000], before);
}

TEST(parallel_deterministic_scan, of_short_ranges)
{
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{19}, std::size_t{700}}) {
        std::vector<long> in(n);
        std::iota(in.begin(), in.end(), 1);
        std::vector<long> out(n, -1);
        std::vector<long> expected(n);
        std::partial_sum(in.begin(), in.end(), expected.begin());
        artel::parallel_deterministic_scan(
            artel::blocked_range<std::size_t>(0, n), 0L,
            [&](const auto& piece, long before, bool is_final) {
                for (std::size_t i = piece.begin(); i < piece.end(); ++i) {
                    before += in[i];
                    if (is_final) {
                        out[i] = before;
                    }
                }
                return before;
            },
            std::plus<>{}, 1);
        EXPECT_EQ(out, expected);
    }
}

// A join may return a reference to one of its arguments, as std::max does.
TEST(joins, that_return_references)
{
    constexpr int n = 5000;
    const auto text = [](int i) {
        return std::string(40, 'x') + std::to_string(100000 + i * 7 % n);
    };
    const auto larger = [](const std::string& a, const std::string& b) -> const std::string& {
        return std::max(a, b);
    };
    const std::string largest = std::string(40, 'x') + "104999";
    const auto reduce = [&](const artel::blocked_range<int>& piece, std::string before) {
        for (int i = piece.begin(); i < piece.end(); ++i) {
            before = std::max(before, text(i));
        }
        return before;
    };
    const auto scan = [&](const artel::blocked_range<int>& piece, std::string before, bool) {
        return reduce(piece, std::move(before));
    };
    const artel::blocked_range<int> all(0, n);
    EXPECT_EQ(artel::parallel_reduce(all, std::string(), reduce, larger), largest);
    EXPECT_EQ(artel::parallel_deterministic_reduce(all, std::string(), reduce, larger, 10),
              largest);
    EXPECT_EQ(artel::parallel_scan(all, std::string(), scan, larger, 100), largest);
    EXPECT_EQ(artel::parallel_deterministic_scan(all, std::string(), scan, larger, 10), largest);
}

// A join may return its first argument as an rvalue reference.
TEST(joins, that_return_rvalue_references)
{
    using list = std::vector<int>;
    constexpr std::size_t n = 1000;
    const auto append = [](list&& a, const list& b) -> list&& {
        a.insert(a.end(), b.begin(), b.end());
        return std::move(a);
    };
    const auto one = [](int i) { return list{i}; };
    EXPECT_EQ(artel::parallel_reduce(0, int{n}, list(), one, append).size(), n);
    EXPECT_EQ(artel::parallel_deterministic_reduce(0, int{n}, list(), one, append).size(), n);
    artel::reducing_sinc<list, decltype(append)> sum(3, list(), append);
    for (int i = 0; i < 3; ++i) {
        sum.submit(list{i});
    }
    EXPECT_EQ(sum.wait().size(), 3u);
}
