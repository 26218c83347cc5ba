// How many own threads a crew may have.
#include "sched/crew.hpp"

#include "base/os/yield.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

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

// Keeps the worker that runs it.
struct occupation : base::work {
    std::atomic<bool> begun{false};
    std::atomic<bool> over{false};

    occupation() noexcept
    {
        run = [](void*, base::work& self) {
            auto& o = static_cast<occupation&>(self);
            // release: pairs with the acquire of the test. acquire: with the release of its end,
            // after which it is gone.
            o.begun.store(true, std::memory_order_release);
            while (!o.over.load(std::memory_order_acquire)) {
                base::os::yield();
            }
            o.begun.store(false, std::memory_order_release);  // release: as above
        };
    }
};

// Teams of several external threads begin with different own threads.
TEST(crew, makes_the_own_thread_that_is_missing_before_others)
{
    sched::crew& c = sched::crew::get();
    ASSERT_NE(c.enter(), nullptr);
    std::thread([&] { c.enter(); }).join();
    const unsigned limit = c.member_limit();
    std::vector<occupation> occupations(limit - 1);
    for (unsigned i = 1; i < limit; ++i) {
        occupation& o = occupations[i - 1];
        sched::post(*c.member(i), o, o);
        while (!o.begun.load(std::memory_order_acquire)) {  // acquire: see occupation
            base::os::yield();
        }
    }
    c.notify(nullptr);
    EXPECT_EQ(c.member_count(), limit);
    for (occupation& o : occupations) {
        o.over.store(true, std::memory_order_release);     // release: see occupation
        while (o.begun.load(std::memory_order_acquire)) {  // acquire: see occupation
            base::os::yield();
        }
    }
}

}  // namespace
