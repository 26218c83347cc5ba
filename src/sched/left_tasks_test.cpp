// The monitor's decisions on guests that let tasks lie.
#include "sched/left_tasks.hpp"

#include <gtest/gtest.h>

namespace {

using artel::sched::left_task;
using decision = left_task::decision;

constexpr std::uint64_t ms = 1000000;  // ns

class left_task_look : public testing::Test {
protected:
    // After `wall` ms, in which the guest has used the CPU for `cpu` ms.
    decision look(std::uint64_t wall, std::uint64_t cpu, bool blocked)
    {
        at.wall += wall * ms;
        at.cpu += cpu * ms;
        return seen.look(at, [blocked] { return blocked; });
    }

    left_task seen;
    left_task::snapshot at{.oldest = 1, .group_events = 1, .cpu = 100 * ms, .wall = 1000 * ms};
};

}  // namespace

TEST_F(left_task_look, finds_one_that_is_blocked_at_the_second)
{
    EXPECT_EQ(look(0, 0, true), decision::look_soon);
    EXPECT_TRUE(seen.is_new());
    EXPECT_EQ(look(1, 0, true), decision::call_worker);
    EXPECT_FALSE(seen.is_new());
}

// The guest polls a flag and sleeps in turn, for a fifth of the time on the CPU.
TEST_F(left_task_look, finds_one_that_polls_and_sleeps)
{
    EXPECT_EQ(look(0, 0, false), decision::wait);
    EXPECT_EQ(look(5, 1, true), decision::look_soon);
    EXPECT_EQ(look(5, 1, false), decision::look_soon);
    EXPECT_EQ(look(5, 1, true), decision::call_worker);
}

TEST_F(left_task_look, leaves_one_alone_that_computes)
{
    EXPECT_EQ(look(0, 0, true), decision::look_soon);
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(look(5, 4, i % 2 == 0), decision::wait);
    }
    // until that has lasted
    EXPECT_EQ(look(100, 90, false), decision::call_worker);
}

// On a busy machine.
TEST_F(left_task_look, leaves_one_alone_that_waits_for_a_cpu)
{
    EXPECT_EQ(look(0, 0, false), decision::wait);
    for (unsigned i = 0; i < left_task::most_soon; ++i) {
        EXPECT_EQ(look(1, 0, false), decision::look_soon);
    }
    for (unsigned i = 2 + left_task::most_soon; i < left_task::old; ++i) {
        EXPECT_EQ(look(5, 0, false), decision::wait);
    }
    EXPECT_EQ(look(5, 0, false), decision::run_it);
}

TEST_F(left_task_look, leaves_one_alone_that_comes_in_between)
{
    for (unsigned i = 1; i < left_task::old; ++i) {
        EXPECT_NE(look(5, 0, true), decision::call_worker);
        ++at.group_events;
    }
}

TEST_F(left_task_look, begins_anew_with_another_task)
{
    EXPECT_EQ(look(0, 0, true), decision::look_soon);
    ++at.oldest;
    EXPECT_EQ(look(1, 0, true), decision::look_soon);
    EXPECT_TRUE(seen.forget());
    EXPECT_FALSE(seen.forget());
    EXPECT_EQ(look(1, 0, true), decision::look_soon);
}
