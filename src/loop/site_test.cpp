// The memory of a call site.
#include "loop/site.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace {

using artel::loop::estimate;
using artel::loop::site;
using artel::loop::site_key_of;

template <int N>
void body(void* context, std::int64_t, std::int64_t, unsigned)
{
    *static_cast<int*>(context) += N;
}

TEST(site, knows_nothing_at_first)
{
    const estimate s;
    EXPECT_EQ(s.cost(), 0u);
    EXPECT_EQ(s.worth(1000), 1u);
    EXPECT_FALSE(s.expects_less(1, 1000));
}

TEST(site, belongs_to_a_body)
{
    site& s = site::of(site_key_of(body<1>));
    s.average.learn(1000, 10);
    EXPECT_EQ(&site::of(site_key_of(body<1>)), &s);
    EXPECT_EQ(site::of(site_key_of(body<1>)).average.cost(), 100 * estimate::scale);
    EXPECT_EQ(s.first.cost(), 0u);
}

TEST(site, forgets_everything_when_another_place_takes_it)
{
    // Among this many call sites some pair shares an entry.
    site& s = site::of(1);
    s.average.learn(1000, 10);
    s.first.learn(1000, 10);
    s.note_shared(true);
    s.note_varying(true);
    artel::loop::site_key other = 2;
    while (&site::of(other) != &s) {
        ++other;
    }
    EXPECT_EQ(s.average.cost(), 0u);
    EXPECT_EQ(s.first.cost(), 0u);
    EXPECT_FALSE(s.was_shared());
    EXPECT_FALSE(s.varies());
}

TEST(site, expects_what_it_learned)
{
    estimate s;
    s.learn(1000, 10);
    EXPECT_TRUE(s.expects_less(9, 1000));
    EXPECT_FALSE(s.expects_less(10, 1000));
    EXPECT_FALSE(s.expects_less(std::numeric_limits<std::uint64_t>::max(), 1000));
    EXPECT_EQ(s.worth(1000), 10u);
    EXPECT_EQ(s.worth(50), 1u);
}

TEST(site, cheap_iterations_are_told_apart)
{
    estimate s;
    s.learn(1000, 4000);  // a quarter of a cycle
    EXPECT_EQ(s.worth(1000), 4000u);
    estimate t;
    t.learn(1, 1000000);  // below the resolution
    EXPECT_EQ(t.worth(1000), 1000 * estimate::scale);
}

TEST(site, an_interruption_is_forgotten)
{
    estimate s;
    s.learn(1000, 10);
    s.learn(1000000000, 10);
    EXPECT_EQ(s.cost(), 400 * estimate::scale);
    s.learn(1000, 10);
    s.learn(1000, 10);
    EXPECT_EQ(s.cost(), 100 * estimate::scale);
}

TEST(site, a_rough_measurement_lowers_only_what_is_far_too_high)
{
    estimate s;
    s.learn(1000, 10);
    s.learn_roughly(510, 10);
    s.learn_roughly(1000000, 10);
    EXPECT_EQ(s.cost(), 100 * estimate::scale);
    // The effect of an interruption is halved each time.
    for (int i = 0; i < 4; ++i) {
        s.learn_roughly(70, 10);
    }
    EXPECT_EQ(s.cost(), 100 / 8 * estimate::scale + estimate::scale / 2);
    s.learn_roughly(0, 10);
    EXPECT_LT(s.cost(), 8 * estimate::scale);
}

// One expensive share among many cheap ones.
TEST(site, is_about_the_dearest_share_where_only_one_of_many_lowers_it)
{
    for (const int dear : {0, 7}) {  // 0: the caller's
        estimate s;
        for (int loop = 0; loop < 40; ++loop) {
            for (int share = 0; share < 64; ++share) {
                const std::uint64_t cycles = share == dear ? 1000000 : 10;
                share == 0 ? s.learn(cycles, 10) : s.learn_if_dearer(cycles, 10);
            }
        }
        EXPECT_GE(s.cost(), 50000 * estimate::scale) << dear;
    }
}

TEST(site, rises_as_far_as_it_may)
{
    estimate s;
    s.learn(1000, 10);
    s.learn_at_most(5000, 10);
    EXPECT_EQ(s.cost(), 100 * estimate::scale);
    s.learn_at_most(600, 10);
    EXPECT_EQ(s.cost(), 60 * estimate::scale);
    s.learn(1000000, 10, ~0u);
    EXPECT_EQ(s.cost(), 100000 * estimate::scale);
}

TEST(site, saturates_instead_of_overflowing)
{
    estimate s;
    s.learn(std::numeric_limits<std::uint64_t>::max(), 1);
    EXPECT_EQ(s.cost(), std::numeric_limits<std::uint32_t>::max());
    s.learn(std::numeric_limits<std::uint64_t>::max(), 1);
    EXPECT_EQ(s.worth(1000), 1u);
    EXPECT_FALSE(s.expects_less(1, 1000));
}

}  // namespace
