// Shares of loops of all sizes, chunks and numbers of members, also of more iterations than fit
// into 32 bits: every iteration is run once, and the last unit is left to the end.
#include "loop_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace artel::openmp {
namespace {

// How often each iteration is in a piece, when `size` members take pieces in turns until only the
// last unit is left.
std::vector<unsigned> times_taken(loop_shares& shares, std::uint64_t count, unsigned size)
{
    std::vector<unsigned> times(count);
    for (bool any = true; any;) {
        any = false;
        for (unsigned m = 0; m < size; ++m) {
            piece p;
            if (shares.take(m, p)) {
                any = true;
                EXPECT_LT(p.low, p.high);
                for (std::uint64_t i = p.low; i < p.high; ++i) {
                    ++times.at(i);
                }
            }
        }
    }
    for (std::uint64_t i = shares.last().low; i < shares.last().high; ++i) {
        ++times.at(i);
    }
    return times;
}

TEST(LoopShares, EveryIterationIsTakenOnce)
{
    loop_shares shares;
    for (const std::uint64_t count : {0, 1, 2, 7, 100, 1000}) {
        for (const std::uint64_t chunk : {0, 1, 3, 5000}) {
            for (const unsigned size : {1, 2, 5, 64}) {
                ASSERT_TRUE(shares.deal(count, chunk, size));
                for (const unsigned t : times_taken(shares, count, size)) {
                    ASSERT_EQ(t, 1u) << count << ' ' << chunk << ' ' << size;
                }
            }
        }
    }
}

TEST(LoopShares, AMemberAloneGetsAllOfTheOthers)
{
    loop_shares shares;
    ASSERT_TRUE(shares.deal(1000, 10, 8));
    std::uint64_t sum = 0;
    for (piece p; shares.take(5, p);) {
        EXPECT_EQ(p.high - p.low, 10u);
        sum += p.high - p.low;
    }
    EXPECT_EQ(sum, 990u);
    EXPECT_EQ(shares.last().low, 990u);
    EXPECT_EQ(shares.last().high, 1000u);
}

TEST(LoopShares, MoreIterationsThanUnitsAreNotLost)
{
    loop_shares shares;
    constexpr std::uint64_t count = (std::uint64_t{1} << 40) + 12345;
    ASSERT_TRUE(shares.deal(count, 0, 3));
    std::uint64_t sum = 0;
    for (piece p; shares.take(1, p);) {
        sum += p.high - p.low;
    }
    EXPECT_EQ(shares.last().low, sum);
    EXPECT_EQ(shares.last().high, count);
}

TEST(LoopShares, ThreadsTogetherTakeEveryIterationOnce)
{
    constexpr unsigned members = 4;
    constexpr std::uint64_t count = 200000;
    loop_shares shares;
    ASSERT_TRUE(shares.deal(count, 1, members));
    std::vector<std::vector<piece>> taken(members);
    {
        std::vector<std::jthread> threads;
        for (unsigned m = 0; m < members; ++m) {
            threads.emplace_back([&, m] {
                for (piece p; shares.take(m, p);) {
                    taken[m].push_back(p);
                }
            });
        }
    }
    std::vector<unsigned> times(count);
    for (const auto& pieces : taken) {
        for (const piece& p : pieces) {
            for (std::uint64_t i = p.low; i < p.high; ++i) {
                ++times[i];
            }
        }
    }
    EXPECT_EQ(shares.last().low, count - 1);
    EXPECT_EQ(std::count(times.begin(), times.end(), 1u), static_cast<std::ptrdiff_t>(count) - 1);
}

}  // namespace
}  // namespace artel::openmp
