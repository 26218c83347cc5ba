// When waiters in a crew with more workers than CPUs yield, and when they sleep.
#include "sched/spin.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace artel;
using advice = sched::spin::advice;

sched::crew& wide_crew()
{
    ::setenv("ARTEL_NUM_THREADS", "1000", 1);
    ::unsetenv("ARTEL_MAX_WORKERS");
    return sched::crew::get();
}

class spinner : public testing::Test {
protected:
    void SetUp() override
    {
        if (!c.oversubscribed()) {
            GTEST_SKIP() << "the crew exists already, with fewer workers than CPUs";
        }
    }

    static constexpr std::uint64_t long_budget = std::uint64_t{1} << 50;

    sched::crew& c = wide_crew();
    sched::worker& w = *c.enter();
};

}  // namespace

TEST_F(spinner, gives_its_cpu_away)
{
    while (c.yields().too_high(base::cycles())) {  // after another test
    }
    const std::uint64_t before = w.yields.value();
    sched::spin wait(w, long_budget);
    EXPECT_EQ(wait.pause(), advice::again);
    EXPECT_EQ(w.yields.value() - before, 1u);
}

TEST_F(spinner, sleeps_while_that_is_dear)
{
    // Not only once: for time that other threads of the crew have just lost, nothing is counted.
    constexpr std::chrono::milliseconds slice(10);
    for (int i = 0; i < 1000 && !c.yields().too_high(base::cycles()); ++i) {
        std::this_thread::sleep_for(2 * slice);
        const std::uint64_t now = base::cycles();
        const auto us = static_cast<std::uint64_t>(std::chrono::microseconds(slice).count());
        c.yields().paid(now - us * base::cycles_per_microsecond(), now, true, [] { return 0u; });
    }
    const std::uint64_t before = w.yields.value();
    sched::spin wait(w, long_budget);
    EXPECT_EQ(wait.pause(), advice::sleep);
    EXPECT_EQ(w.yields.value(), before);
}

// ARTEL_WAIT=passive.
TEST_F(spinner, without_a_budget_sleeps_at_once)
{
    const std::uint64_t before = w.yields.value();
    sched::spin wait(w, 0);
    EXPECT_EQ(wait.pause(), advice::sleep);
    EXPECT_EQ(w.yields.value(), before);
}
