// When waiters in a crew with more workers than CPUs yield, and when they sleep.
#include "sched/spin.hpp"

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>

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
    const std::uint64_t now = base::cycles();
    const std::uint64_t slice = 10000 * base::cycles_per_microsecond();
    c.yields().paid(now - slice, now, true, [] { return 0u; });
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
