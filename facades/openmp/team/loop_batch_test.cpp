// What the owner takes from the front of a batch and thieves from its back, also at the same time:
// every unit once, and none by thieves of another loop. Otherwise iterations would be lost or run
// twice.
#include "loop_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace artel::openmp {
namespace {

TEST(LoopBatch, GivesOutItsUnitsFromTheFront)
{
    loop_batch batch;
    batch.begin(5);
    std::uint64_t unit = 0;
    EXPECT_FALSE(batch.claim(unit));
    batch.put(5, {10, 13});
    for (const std::uint64_t expected : {10u, 11u, 12u}) {
        ASSERT_TRUE(batch.claim(unit));
        EXPECT_EQ(unit, expected);
    }
    EXPECT_FALSE(batch.claim(unit));
    EXPECT_FALSE(batch.claim(unit));  // asking again changes nothing
}

TEST(LoopBatch, CountsToItsLastUnit)
{
    loop_batch batch;
    batch.put(255, {loop_batch::most_units - 1, loop_batch::most_units});
    std::uint64_t unit = 0;
    ASSERT_TRUE(batch.claim(unit));
    EXPECT_EQ(unit, loop_batch::most_units - 1);
    EXPECT_FALSE(batch.claim(unit));
    EXPECT_TRUE(batch.steal(255).empty());
}

TEST(LoopBatch, TakesManyAsItIsTold)
{
    loop_batch batch;
    batch.put(1, {0, 10});
    const loop_batch::range some = batch.claim_many([](std::uint64_t first) { return first + 4; });
    EXPECT_EQ(some.first, 0u);
    EXPECT_EQ(some.last, 4u);
    const loop_batch::range rest = batch.claim_many([](std::uint64_t first) { return first + 4; });
    EXPECT_EQ(rest.first, 4u);
    EXPECT_EQ(rest.last, 10u);
    EXPECT_TRUE(batch.claim_many([](std::uint64_t) { return 1; }).empty());
}

TEST(LoopBatch, ThievesGetTheBackHalfOfTheirOwnLoopOnly)
{
    loop_batch batch;
    batch.put(300, {8, 12});
    EXPECT_TRUE(batch.steal(299).empty());
    EXPECT_TRUE(batch.steal(331).empty());
    const loop_batch::range half = batch.steal(300);
    EXPECT_EQ(half.first, 10u);
    EXPECT_EQ(half.last, 12u);
    const loop_batch::range next = batch.steal(300);
    EXPECT_EQ(next.first, 9u);
    EXPECT_EQ(next.last, 10u);
    const loop_batch::range only = batch.steal(300);
    EXPECT_EQ(only.first, 8u);
    EXPECT_EQ(only.last, 9u);
    EXPECT_TRUE(batch.steal(300).empty());
}

TEST(LoopBatch, WhatIsAnnouncedCannotBeTaken)
{
    loop_batch batch;
    batch.announce(9);
    EXPECT_TRUE(batch.is_announced(9));
    EXPECT_FALSE(batch.is_announced(8));
    EXPECT_TRUE(batch.steal(9).empty());
    batch.put(9, {4, 6});
    EXPECT_FALSE(batch.is_announced(9));
    EXPECT_EQ(batch.steal(9).first, 5u);
    batch.announce(9);
    batch.begin(9);
    EXPECT_FALSE(batch.is_announced(9));
}

TEST(LoopBatch, OwnerAndThievesTogetherTakeEveryUnitOnce)
{
    constexpr std::uint64_t construct = 77;
    constexpr std::uint64_t units = 300'000;
    constexpr std::uint64_t batch_size = 100;
    loop_batch batch;
    std::vector<std::atomic<unsigned char>> times(units);
    std::atomic<bool> over{false};
    {
        std::vector<std::jthread> thieves;
        for (int i = 0; i < 3; ++i) {
            thieves.emplace_back([&] {
                while (!over.load()) {
                    const loop_batch::range got = batch.steal(construct);
                    for (std::uint64_t u = got.first; u < got.last; ++u) {
                        ++times[u];
                    }
                }
            });
        }
        for (std::uint64_t first = 0; first < units; first += batch_size) {
            batch.put(construct, {first, first + batch_size});
            std::uint64_t unit = 0;
            while (batch.claim(unit)) {
                ++times[unit];
            }
        }
        over.store(true);
    }
    EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<std::ptrdiff_t>(units));
}

TEST(BatchCounter, KeepsUnitsAndOffersApart)
{
    std::uint64_t word = 0;
    word += 100 + batch_counter::offer_of(3);
    word += 100 + batch_counter::offer_of(31);
    EXPECT_EQ(batch_counter::units(word), 200u);
    EXPECT_EQ(batch_counter::offers(word), batch_counter::bit_of(3) | batch_counter::bit_of(31));
}

}  // namespace
}  // namespace artel::openmp
