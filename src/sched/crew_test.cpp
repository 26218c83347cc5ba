// How many own threads a crew may have.
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace artel;

TEST(crew, has_an_own_thread_more_when_a_second_external_thread_has_come)
{
    sched::crew& c = sched::crew::get();
    const unsigned beside_one = std::max(1u, c.width() - 1);
    const sched::guest_scope first;
    std::thread([&] { const sched::guest_scope second; }).join();
    EXPECT_EQ(c.member_limit(), std::max(beside_one, c.width()));
    const unsigned last = c.member_limit() - 1;
    EXPECT_NE(c.member(last), nullptr);
    std::thread([&] { const sched::guest_scope third; }).join();
    EXPECT_EQ(c.member_limit(), std::max(beside_one, c.width()));
}

}  // namespace
