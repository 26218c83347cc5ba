// Sweeps from any start, at the borders of words, and after random changes that are compared with
// std::set. A sweep that misses a slot would leave that thread's tasks unseen.
#include "sched/slot_set.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

namespace {

using set_of_all = artel::sched::slot_set<4096>;

std::vector<unsigned> visited_from(const set_of_all& s, unsigned start)
{
    std::vector<unsigned> found;
    s.any_from(start, [&](unsigned i) {
        found.push_back(i);
        return false;
    });
    return found;
}

TEST(slot_set, a_sweep_visits_the_members_alone_and_in_turn)
{
    set_of_all s;
    for (const unsigned i : {0u, 5u, 63u, 64u, 700u, 4095u}) {
        s.insert(i);
    }
    EXPECT_EQ(visited_from(s, 0), (std::vector<unsigned>{0, 5, 63, 64, 700, 4095}));
    EXPECT_EQ(visited_from(s, 64), (std::vector<unsigned>{64, 700, 4095, 0, 5, 63}));
    EXPECT_EQ(visited_from(s, 4095), (std::vector<unsigned>{4095, 0, 5, 63, 64, 700}));
    EXPECT_EQ(visited_from(s, 4096), (std::vector<unsigned>{0, 5, 63, 64, 700, 4095}));
    s.erase(64);
    s.erase(0);
    EXPECT_EQ(visited_from(s, 1), (std::vector<unsigned>{5, 63, 700, 4095}));
    EXPECT_FALSE(s.contains(64));
    EXPECT_TRUE(s.contains(63));
    EXPECT_EQ(s.from(0), 5u);
    EXPECT_EQ(s.from(4096), set_of_all::none);
}

TEST(slot_set, an_empty_one_is_over_at_once)
{
    set_of_all s;
    EXPECT_EQ(s.from(0), set_of_all::none);
    s.insert(4095);
    s.erase(4095);
    EXPECT_TRUE(visited_from(s, 17).empty());
}

TEST(slot_set, a_sweep_ends_where_it_is_told_to)
{
    set_of_all s;
    s.insert(3);
    s.insert(90);
    unsigned calls = 0;
    EXPECT_TRUE(s.any_from(50, [&](unsigned i) {
        ++calls;
        return i == 90;
    }));
    EXPECT_EQ(calls, 1u);
    EXPECT_FALSE(s.any_from(50, [](unsigned) { return false; }));
}

TEST(slot_set, agrees_with_a_set)
{
    auto s = std::make_unique<set_of_all>();
    std::set<unsigned> same;
    std::uint64_t random = 88172645463325252;
    for (int step = 0; step < 20000; ++step) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const auto i = static_cast<unsigned>(random % 4096);
        if ((random >> 40) % 3 != 0) {
            s->erase(i);
            same.erase(i);
        } else {
            s->insert(i);
            same.insert(i);
        }
        const auto next = same.lower_bound(i);
        ASSERT_EQ(s->from(i), next == same.end() ? set_of_all::none : *next);
    }
}

}  // namespace
