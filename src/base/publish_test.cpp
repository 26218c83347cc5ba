// Racing threads agree on one value, the losers' are deleted, and a make() that throws is tried
// again.
#include "base/publish.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

namespace artel::base {
namespace {

std::atomic<int> alive{0};

struct counted {
    int number = 7;
    counted() { alive.fetch_add(1); }
    ~counted() { alive.fetch_sub(1); }
};

TEST(Publish, RacingThreadsAgreeAndLosersAreDeleted)
{
    static std::atomic<const counted*> slot{nullptr};
    constexpr int threads = 8;
    std::atomic<int> firsts{0};
    std::latch start(threads);
    std::vector<const counted*> seen(threads);
    {
        std::vector<std::jthread> crowd;
        for (int i = 0; i < threads; ++i)
            crowd.emplace_back([&, i] {
                start.arrive_and_wait();
                const auto& value = publish_once(
                    slot, [] { return std::make_unique<const counted>(); },
                    [&](const counted&) { firsts.fetch_add(1); });
                EXPECT_EQ(value.number, 7);
                seen[static_cast<std::size_t>(i)] = &value;
            });
    }
    for (const auto* value : seen)
        EXPECT_EQ(value, seen[0]);
    EXPECT_EQ(firsts.load(), 1);
    EXPECT_EQ(alive.load(), 1);
}

TEST(Publish, WhatThrowsIsTriedAgain)
{
    static std::atomic<const int*> slot{nullptr};
    EXPECT_THROW(
        publish_once(slot, []() -> std::unique_ptr<const int> { throw std::runtime_error("no"); }),
        std::runtime_error);
    EXPECT_EQ(publish_once(slot, [] { return std::make_unique<const int>(3); }), 3);
    EXPECT_EQ(publish_once(slot, [] { return std::make_unique<const int>(4); }), 3);
}

}  // namespace
}  // namespace artel::base
