// When waiters stop yielding and when they try again, with invented times instead of a clock. No
// other test would notice an error: it only makes waiters lose time slices to other programs, or
// sleep where the machine is theirs.
#include "sched/yield_price.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace {

using artel::sched::yield_price;

constexpr std::uint64_t us = 3;              // cycles
constexpr std::uint64_t at = 1'000'000'000;  // some time, in cycles
constexpr std::uint64_t slice = 4000 * us;

// A yield at `begin` that takes `took`, during which the process has CPU time for a `share` of it.
void yield(yield_price& price, std::uint64_t begin, std::uint64_t took, double share)
{
    const bool suspected = price.suspected(begin);
    price.paid(begin, begin + took, suspected, [&] {
        return static_cast<std::uint64_t>(share * static_cast<double>(took) / us * 1000);
    });
}

// Makes yields expensive by others' slices, from `at` on; returns the end of that.
std::uint64_t make_dear(yield_price& price)
{
    std::uint64_t now = at;
    for (int yields = 0; !price.too_high(now) && yields < 10; ++yields) {
        yield(price, now, slice, 0);
        now += slice;
    }
    EXPECT_TRUE(price.too_high(now));
    EXPECT_GT(now, at + slice);  // the first one is a warning
    return now + yield_price::times * slice;
}

}  // namespace

TEST(yield_price, is_low_at_first_and_after_short_yields)
{
    yield_price price(us);
    EXPECT_FALSE(price.too_high(0));
    for (int i = 0; i < 10; ++i) {
        const std::uint64_t begin = at + slice * static_cast<unsigned>(i);
        yield(price, begin, yield_price::dear * us - 1, 0);
        EXPECT_FALSE(price.suspected(begin + slice));
        EXPECT_FALSE(price.too_high(begin + slice));
    }
}

TEST(yield_price, is_high_for_many_times_as_long_as_was_lost)
{
    yield_price price(us);
    const std::uint64_t until = make_dear(price);
    EXPECT_TRUE(price.too_high(until - 1));
    EXPECT_FALSE(price.too_high(until));
}

// Several workers yield at the same time.
TEST(yield_price, does_not_rise_by_yields_that_began_before_it_did)
{
    yield_price price(us);
    const std::uint64_t until = make_dear(price);
    yield(price, at + 1, 10 * slice, 0);
    EXPECT_FALSE(price.too_high(until));
}

TEST(yield_price, counts_what_several_lose_at_the_same_time_once)
{
    yield_price price(us);
    yield(price, at, slice, 0);
    const std::uint64_t begin = at + slice;
    yield(price, begin, slice, 0);
    for (unsigned i = 1; i < 100; ++i) {
        yield(price, begin + i, slice, 0);
        ASSERT_FALSE(price.too_high(begin + i + slice));
    }
}

TEST(yield_price, stays_high_when_the_next_yield_is_dear_again)
{
    yield_price price(us);
    const std::uint64_t until = make_dear(price);
    yield(price, until + 5, slice, 0);  // without a further warning
    EXPECT_TRUE(price.too_high(until + 5 + slice));
}

TEST(yield_price, is_tried_again_when_the_machine_may_be_quiet)
{
    yield_price price(us);
    yield(price, at, 100 * slice, 0);
    yield(price, at + 100 * slice, 100 * slice, 0);
    const std::uint64_t until = at + 200 * slice + yield_price::longest * us;
    EXPECT_TRUE(price.too_high(until - 1));
    EXPECT_FALSE(price.too_high(until));
}

TEST(yield_price, begins_anew_after_a_time_in_which_no_yield_was_dear)
{
    yield_price price(us);
    const std::uint64_t later = make_dear(price) + 2 * yield_price::times * slice;
    EXPECT_FALSE(price.suspected(later));
    yield(price, later, slice, 0);
    EXPECT_FALSE(price.too_high(later + slice));
    yield(price, later + slice, slice, 0);
    EXPECT_FALSE(price.too_high(later + 2 * slice));
}

// On a machine that is a little busy, sleepers lose as much.
TEST(yield_price, is_low_as_long_as_the_smaller_part_of_the_time_is_lost)
{
    yield_price price(us);
    for (std::uint64_t begin = at; begin < at + 1000 * slice; begin += slice) {
        yield(price, begin, slice * 2 / 5, 0);
        ASSERT_FALSE(price.too_high(begin + slice));
    }
}

// The machine is ours: the CPU went to another of our threads.
TEST(yield_price, is_low_where_the_process_has_had_the_time)
{
    yield_price price(us);
    yield(price, at, slice, 1);
    for (std::uint64_t begin = at + slice; begin < at + 1000 * slice; begin += slice) {
        yield(price, begin, slice, 0.9);
        ASSERT_FALSE(price.too_high(begin + slice));
    }
}

TEST(yield_price, is_measured_seldom_where_it_is_low)
{
    yield_price price(us);
    unsigned measured = 0;
    for (std::uint64_t begin = at; begin < at + 1000 * slice; begin += slice) {
        measured += price.suspected(begin) ? 1 : 0;
        yield(price, begin, slice, 1);
    }
    EXPECT_LE(measured, 1000 / yield_price::times + 1);
}
