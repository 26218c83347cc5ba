// Results of the rules, computed by hand, and what remains of them when memory is short.
#include "coll/sizing.hpp"

#include <gtest/gtest.h>

namespace {

using namespace artel::coll;

constexpr std::uint64_t MiB = 1 << 20, GiB = 1 << 30;

settings by(sizing_rule rule, std::uint64_t largest = 16 * MiB)
{
    settings s;
    s.rule = rule;
    s.largest = largest;
    s.sets = 1;
    return s;
}

TEST(Sizing, QueueIsAsItWasGiven)
{
    settings s = by(sizing_rule::queue);
    s.queue_bytes = 12345;
    s.fragment = 777;
    apply_rule(s, GiB);
    EXPECT_EQ(s.queue_bytes, 12345U);
    EXPECT_EQ(s.fragment, 777U);
}

TEST(Sizing, Rule1)
{
    settings s = by(sizing_rule::message);
    apply_rule(s, GiB);
    EXPECT_EQ(s.fragment, 4096U);
    EXPECT_EQ(s.queue_bytes, 16 * MiB);
    s = by(sizing_rule::message, 20 * MiB);  // the root is 4580
    apply_rule(s, GiB);
    EXPECT_EQ(s.fragment, 8192U);
    EXPECT_EQ(s.queue_bytes, 20 * MiB);
}

TEST(Sizing, Rule2)
{
    settings s = by(sizing_rule::fragment, 100000);
    apply_rule(s, GiB);
    EXPECT_EQ(s.fragment, 8192U);
    EXPECT_EQ(s.queue_bytes, 13 * 8192U);
    s = by(sizing_rule::fragment, 100000);
    s.fragment = 10000;
    s.sets = 4;
    apply_rule(s, GiB);
    EXPECT_EQ(s.fragment, 12288U);
    EXPECT_EQ(s.queue_bytes, 12 * 12288U) << "nine, in four sets";
}

TEST(Sizing, Rule3)
{
    settings s = by(sizing_rule::length);
    s.length = 32;
    apply_rule(s, GiB);
    EXPECT_EQ(s.fragment, 4096U);
    EXPECT_EQ(s.queue_bytes, 32 * 4096U);
}

TEST(Sizing, OnePerCentOfTheMemory)
{
    settings s = by(sizing_rule::memory);
    s.fragment = 8192;
    apply_rule(s, 800 * MiB);
    EXPECT_EQ(s.fragment, 0U) << "by the model";
    EXPECT_EQ(s.queue_bytes, 8 * MiB);
    apply_rule(s, 0);
    EXPECT_EQ(s.queue_bytes, 4096U);
    apply_rule(s, ~std::uint64_t{0});
    EXPECT_EQ(s.queue_bytes, GiB);
}

TEST(Sizing, ExplainsEachNumber)
{
    for (const auto rule : {sizing_rule::queue, sizing_rule::message, sizing_rule::fragment,
                            sizing_rule::length, sizing_rule::memory}) {
        settings s = by(rule);
        const auto told = explain_rule(s, 800 * MiB);
        ASSERT_EQ(told.size(), 3U);
        apply_rule(s, 800 * MiB);
        EXPECT_EQ(told[0].value, s.fragment == 0 ? "" : std::to_string(s.fragment));
        EXPECT_EQ(told[2].value, std::to_string(s.queue_bytes));
        for (const sized_number& n : told) {
            EXPECT_FALSE(n.origin.empty());
        }
    }
    EXPECT_EQ(explain_rule(by(sizing_rule::length), GiB)[0].origin.rfind("rule 3: sqrt(m)", 0), 0U);
}

TEST(Sizing, ShrinksTheLengthFirst)
{
    settings s = by(sizing_rule::length);
    s.sets = 4;
    apply_rule(s, GiB);
    s.fragment = 65536;
    s.queue_bytes = 64 * 65536;
    const settings before = s;
    bool cut = true;
    EXPECT_TRUE(fit(s, {{4, segment_bytes(s, 4)}, {1, 0}}, cut));
    EXPECT_FALSE(cut) << "it fits";
    EXPECT_TRUE(fit(s, {{2, GiB}, {4, segment_bytes(before, 4) - 1}}, cut));
    EXPECT_TRUE(cut);
    EXPECT_EQ(s.fragment, 65536U);
    EXPECT_EQ(s.queue_bytes, 32 * 65536U);
    EXPECT_EQ(s.piece_bytes, before.piece_bytes);
}

TEST(Sizing, ExplainsTheLimit)
{
    settings s = by(sizing_rule::fragment);
    const auto told = [&](std::uint64_t limit) {
        s.memory_limit = limit;
        return explain_limit(s, GiB, limit == 0 ? GiB : limit, 4);
    };
    EXPECT_EQ(told(0).value, std::to_string(GiB));
    EXPECT_NE(told(0).origin.find("a 16th of the machine's memory; a segment of 4 ranks has "),
              std::string::npos);
    EXPECT_NE(told(0).origin.find("and fits"), std::string::npos);
    settings whole = s;
    apply_rule(whole, GiB);
    const auto cut = told(segment_bytes(whole, 4) - 1).origin;
    EXPECT_EQ(cut.rfind("ARTEL_MPI_LIMIT; ", 0), 0U);
    EXPECT_NE(cut.find("b = " + std::to_string(whole.queue_bytes / 2) + ", f = 8192"),
              std::string::npos)
        << cut;
    EXPECT_NE(told(100000).origin.find("does not fit"), std::string::npos);
}

TEST(Sizing, ThenFragmentsThenPieces)
{
    settings least;
    least.sets = 4;
    least.queue_bytes = 4 * 4096;
    for (const std::uint64_t fragment : {std::uint64_t{0}, std::uint64_t{65536}}) {
        settings s;
        s.sets = 4;
        s.fragment = fragment;
        bool cut = false;
        EXPECT_TRUE(fit(s, {{8, segment_bytes(least, 8)}}, cut));
        EXPECT_TRUE(cut);
        EXPECT_EQ(s.queue_bytes, 4 * 4096U);
        EXPECT_EQ(s.fragment, fragment == 0 ? 0U : 4096U);
        EXPECT_EQ(s.piece_bytes, settings{}.piece_bytes);
        EXPECT_TRUE(fit(s, {{8, segment_bytes(least, 8) - 1}}, cut));
        EXPECT_LT(s.piece_bytes, settings{}.piece_bytes);
        EXPECT_FALSE(fit(s, {{8, 100000}}, cut));
    }
}

}  // namespace
