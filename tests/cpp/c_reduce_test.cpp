// Reductions and running totals through the C interface.
#include "digits.hpp"
#include "support.hpp"

#include <artel.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <random>

using test::append;
using test::append_range;
using test::digits;
using test::expected;
using test::join_digits;
using test::no_digits;

TEST(c_reduce, joins_neighbours_in_their_order)
{
    for (int p = ARTEL_AUTOMATIC; p <= ARTEL_TIMESPAN_GRAIN; ++p) {
        for (const int n : {0, 1, 2, 100, 10000}) {
            const artel_loop_options how{1, static_cast<artel_partitioner>(p), nullptr};
            digits d = no_digits;
            EXPECT_EQ(artel_parallel_reduce(&how, 5, 5 + n, sizeof d, &d, append_range, join_digits,
                                            nullptr),
                      0);
            EXPECT_EQ(d, expected(5, 5 + n)) << "partitioner " << p << ", " << n << " iterations";
        }
    }
}

TEST(c_reduce, values_of_any_size)
{
    for (const std::size_t size :
         {std::size_t{8}, std::size_t{64}, std::size_t{72}, std::size_t{5000}}) {
        std::vector<std::uint64_t> sums(size / 8);
        struct many {
            std::size_t n;
        } context{sums.size()};
        const auto body = [](void* c, std::int64_t b, std::int64_t e, void* value) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(value) % 16, 0u);
            auto* const v = static_cast<std::uint64_t*>(value);
            for (; b < e; ++b) {
                for (std::size_t i = 0; i < static_cast<many*>(c)->n; ++i) {
                    v[i] += static_cast<std::uint64_t>(b) * (i + 1);
                }
            }
        };
        const auto join = [](void* c, void* left, const void* right) {
            for (std::size_t i = 0; i < static_cast<many*>(c)->n; ++i) {
                static_cast<std::uint64_t*>(left)[i] += static_cast<const std::uint64_t*>(right)[i];
            }
        };
        for (const auto reduce : {artel_parallel_reduce, artel_parallel_deterministic_reduce}) {
            std::fill(sums.begin(), sums.end(), 0);
            EXPECT_EQ(reduce(nullptr, 0, 3000, size, sums.data(), body, join, &context), 0);
            for (std::size_t i = 0; i < sums.size(); ++i) {
                EXPECT_EQ(sums[i], 3000u * 2999 / 2 * (i + 1));
            }
        }
    }
}

TEST(c_reduce, the_deterministic_one_gives_the_same_bits_each_time)
{
    std::vector<float> numbers(100000);
    std::mt19937 random(7);
    std::generate(numbers.begin(), numbers.end(),
                  [&] { return std::uniform_real_distribution<float>(-1, 1)(random); });
    const auto body = [](void* c, std::int64_t b, std::int64_t e, void* value) {
        for (; b < e; ++b) {
            *static_cast<float*>(value) += static_cast<float*>(c)[b];
        }
    };
    const auto join = [](void*, void* left, const void* right) {
        *static_cast<float*>(left) += *static_cast<const float*>(right);
    };
    const auto sum = [&] {
        float s = 0;
        const artel_limit alone{1, 0, nullptr, nullptr};
        static int turn = 0;
        const artel_loop_options how{100, ARTEL_AUTOMATIC, ++turn % 2 == 0 ? &alone : nullptr};
        EXPECT_EQ(artel_parallel_deterministic_reduce(&how, 0, 100000, sizeof s, &s, body, join,
                                                      numbers.data()),
                  0);
        return s;
    };
    const float first = sum();
    for (int i = 0; i < 50; ++i) {
        const float again = sum();
        EXPECT_EQ(std::memcmp(&again, &first, sizeof first), 0);
    }
}

TEST(c_reduce, endless_ranges_are_errors_and_leave_the_value)
{
    digits d{7, 8};
    for (const auto reduce : {artel_parallel_reduce, artel_parallel_deterministic_reduce}) {
        EXPECT_EQ(
            reduce(nullptr, INT64_MIN, INT64_MAX, sizeof d, &d, append_range, join_digits, nullptr),
            EOVERFLOW);
        EXPECT_EQ(d, (digits{7, 8}));
        EXPECT_EQ(reduce(nullptr, 10, -10, sizeof d, &d, append_range, join_digits, nullptr), 0);
        EXPECT_EQ(d, (digits{7, 8}));
    }
}

TEST(c_scan, writes_every_running_total_once)
{
    struct arrays {
        std::vector<std::uint64_t> totals;
        std::atomic<int> written{0};
    };
    const auto body = [](void* c, std::int64_t b, std::int64_t e, void* total, int is_final) {
        auto& a = *static_cast<arrays*>(c);
        for (; b < e; ++b) {
            append(*static_cast<digits*>(total), b);
            if (is_final == 1) {
                a.totals[static_cast<std::size_t>(b)] = static_cast<digits*>(total)->number;
                ++a.written;
            }
        }
    };
    for (const int n : {0, 1, 2, 1000, 50000}) {
        for (const int grain : {0, 1, 300}) {
            arrays a{std::vector<std::uint64_t>(static_cast<std::size_t>(n))};
            const artel_loop_options how{grain, ARTEL_AUTOMATIC, nullptr};
            digits d = no_digits;
            EXPECT_EQ(artel_parallel_scan(&how, 0, n, sizeof d, &d, body, join_digits, &a), 0);
            EXPECT_EQ(d, expected(0, n));
            EXPECT_EQ(a.written, n);
            digits serial = no_digits;
            for (int i = 0; i < n; ++i) {
                append(serial, i);
                EXPECT_EQ(a.totals[static_cast<std::size_t>(i)], serial.number);
            }
        }
    }
}
