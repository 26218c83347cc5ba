// Loops over two and three indices, and with strides.
#include "support.hpp"

#include <limits>
#include <mutex>
#include <set>
#include <tuple>

namespace {

template <class F>
void with_partitioners(F f)
{
    test::with_all_algorithms(f);
    f(artel::simple{.grain = 3});
}

}  // namespace

TEST(blocked_range2d, boxes_make_up_the_range)
{
    with_partitioners([](const auto& how) {
        for (const auto& [rows, columns, row_grain, column_grain] : {std::tuple{0, 5, 1, 1},
                                                                     {5, 0, 1, 1},
                                                                     {1, 1, 1, 1},
                                                                     {7, 13, 1, 1},
                                                                     {7, 13, 2, 4},
                                                                     {40, 3, 16, 16},
                                                                     {3, 40, 1, 7}}) {
            std::vector<std::atomic<int>> hits(static_cast<std::size_t>(rows * columns));
            const artel::blocked_range2d<int> range(artel::blocked_range<int>(-2, rows - 2),
                                                    artel::blocked_range<int>(10, 10 + columns),
                                                    row_grain, column_grain);
            artel::parallel_for(
                range,
                [&](const artel::blocked_range2d<int>& box) {
                    ASSERT_FALSE(box.empty());
                    for (int i = box.rows().begin(); i < box.rows().end(); ++i) {
                        for (int j = box.columns().begin(); j < box.columns().end(); ++j) {
                            ++hits.at(static_cast<std::size_t>((i + 2) * columns + j - 10));
                        }
                    }
                },
                how);
            for (const auto& h : hits) {
                ASSERT_EQ(h, 1);
            }
        }
    });
}

// One block at a time is what caches are blocked with.
TEST(blocked_range2d, simple_gives_single_blocks)
{
    std::mutex lock;
    std::set<std::pair<int, int>> corners;
    artel::parallel_for(
        artel::blocked_range2d<int>({0, 100}, {0, 70}, 32, 16),
        [&](const auto& box) {
            EXPECT_EQ(box.rows().begin() % 32, 0);
            EXPECT_EQ(box.columns().begin() % 16, 0);
            EXPECT_LE(box.rows().size(), 32u);
            EXPECT_LE(box.columns().size(), 16u);
            const std::scoped_lock hold(lock);
            EXPECT_TRUE(corners.emplace(box.rows().begin(), box.columns().begin()).second);
        },
        artel::simple{});
    EXPECT_EQ(corners.size(), 4u * 5u);
}

TEST(blocked_range3d, boxes_make_up_the_range)
{
    with_partitioners([](const auto& how) {
        for (const auto& [grain_p, grain_r, grain_c] :
             {std::tuple{1, 1, 1}, {2, 3, 4}, {1, 1, 100}, {100, 1, 1}}) {
            constexpr long pages = 5, rows = 7, columns = 11;
            std::vector<std::atomic<int>> hits(pages * rows * columns);
            const artel::blocked_range3d<long> range({0, pages}, {0, rows}, {0, columns}, grain_p,
                                                     grain_r, grain_c);
            artel::parallel_for(
                range,
                [&](const artel::blocked_range3d<long>& box) {
                    ASSERT_FALSE(box.empty());
                    for (long p = box.pages().begin(); p < box.pages().end(); ++p) {
                        for (long i = box.rows().begin(); i < box.rows().end(); ++i) {
                            for (long j = box.columns().begin(); j < box.columns().end(); ++j) {
                                ++hits.at(static_cast<std::size_t>((p * rows + i) * columns + j));
                            }
                        }
                    }
                },
                how);
            for (const auto& h : hits) {
                ASSERT_EQ(h, 1);
            }
        }
    });
}

// More blocks than 64 bits can number: they are made larger.
TEST(blocked_range3d, bounds_of_64_bits)
{
    const std::int64_t n = std::int64_t{1} << 40;
    std::atomic<std::uint64_t> pages{0};
    // modulo 2^64: 2^120 is 0, and so is no other sum of boxes that leaves few out.
    std::atomic<std::uint64_t> volume{0};
    artel::parallel_for(
        artel::blocked_range3d<std::int64_t>(0, n, 0, n, 0, n),
        [&](const auto& box) {
            pages += box.pages().size();
            volume += std::uint64_t{box.pages().size()} * box.rows().size() * box.columns().size();
        },
        artel::static_{});
    EXPECT_GE(pages, static_cast<std::uint64_t>(n));
    EXPECT_EQ(volume, 0u);
    // Distances that the index type cannot say.
    std::atomic<std::uint64_t> area{0};
    artel::parallel_for(
        artel::blocked_range2d<int>(-2000000000, 2000000000, -2000000000, 2000000000),
        [&](const auto& box) {
            const auto rows = static_cast<std::uint64_t>(std::int64_t{box.rows().end()} -
                                                         box.rows().begin());
            area += rows * static_cast<std::uint64_t>(std::int64_t{box.columns().end()} -
                                                      box.columns().begin());
        },
        artel::static_{});
    EXPECT_EQ(area, std::uint64_t{4000000000} * 4000000000);
}

TEST(blocked_range2d, exceptions_and_stops_as_in_other_loops)
{
    EXPECT_THROW(artel::parallel_for(artel::blocked_range2d<int>(0, 50, 0, 50),
                                     [](const auto& box) {
                                         if (box.rows().end() == 50) {
                                             throw test::failure(1);
                                         }
                                     }),
                 test::failure);
    std::stop_source before;
    before.request_stop();
    bool called = false;
    artel::parallel_for(
        artel::blocked_range2d<int>(0, 50, 0, 50), [&](const auto&) { called = true; },
        artel::automatic{}, artel::limit{.stop = before.get_token()});
    EXPECT_FALSE(called);
}

TEST(strides, up_and_down)
{
    with_partitioners([](const auto& how) {
        for (const auto& [first, last, step] : {std::tuple{0, 10, 3},
                                                {0, 9, 3},
                                                {0, 0, 3},
                                                {5, 0, 3},
                                                {10, 0, -3},
                                                {9, 0, -3},
                                                {0, 10, -1},
                                                {-7, 8, 1},
                                                {8, -7, -5},
                                                {0, 1, 100}}) {
            std::multiset<int> expected;
            for (int i = first; step > 0 ? i < last : i > last; i += step) {
                expected.insert(i);
            }
            std::mutex lock;
            std::multiset<int> seen;
            artel::parallel_for(
                first, last, step,
                [&](int i) {
                    const std::scoped_lock hold(lock);
                    seen.insert(i);
                },
                how);
            EXPECT_EQ(seen, expected) << first << ' ' << last << ' ' << step;
        }
    });
}

TEST(strides, near_the_ends_of_the_type)
{
    using unsigned_limits = std::numeric_limits<std::uint64_t>;
    using signed_limits = std::numeric_limits<std::int64_t>;
    std::atomic<int> n{0};
    artel::parallel_for(std::uint64_t{0}, unsigned_limits::max(), unsigned_limits::max() / 4,
                        [&](std::uint64_t) { ++n; });
    EXPECT_EQ(n, 5);  // 4 * (max / 4) is max - 3
    n = 0;
    artel::parallel_for(signed_limits::min(), signed_limits::max(), std::int64_t{1} << 62,
                        [&](std::int64_t i) {
                            EXPECT_EQ(i % (std::int64_t{1} << 62), 0);
                            ++n;
                        });
    EXPECT_EQ(n, 4);
    n = 0;
    artel::parallel_for(signed_limits::max(), signed_limits::min(), signed_limits::min(),
                        [&](std::int64_t) { ++n; });
    EXPECT_EQ(n, 2);
    n = 0;
    artel::parallel_for(std::uint8_t{250}, std::uint8_t{10}, -100, [&](std::uint8_t i) { n += i; });
    EXPECT_EQ(n, 250 + 150 + 50);
}

TEST(strides, zero_is_an_error)
{
    EXPECT_THROW(artel::parallel_for(0, 10, 0, [](int) {}), std::invalid_argument);
}
