// For tests of a crew that is one thread wide. Run with ARTEL_NUM_THREADS=1 by src/CMakeLists.txt,
// and skipped at other widths.
#pragma once

#include "sched/crew.hpp"

#include <artel/artel.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

namespace artel {

inline int fib(int n)
{
    if (n < 2) {
        return n;
    }
    int a = 0;
    int b = 0;
    parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
    return a + b;
}

inline int fib_in_groups(int n)
{
    if (n < 2) {
        return n;
    }
    int a = 0;
    task_group group;
    group.run([&] { a = fib_in_groups(n - 1); });
    const int b = fib_in_groups(n - 2);
    group.wait();
    return a + b;
}

class one_thread_without : public testing::Test {
protected:
    void SetUp() override
    {
        if (c.width() != 1) {
            GTEST_SKIP() << "for a width of 1";
        }
    }

    // How often one of the crew's own threads fell asleep, plus the number of these threads: grows
    // when one is made or woken.
    std::uint64_t woken() const
    {
        std::uint64_t sum = c.own_worker_count();
        c.any_worker([&](const sched::worker& w) {
            sum += w.kind == sched::role::own ? w.sleeps.value() : 0;
            return false;
        });
        return sum;
    }

    sched::crew& c = sched::crew::get();
    // The caller runs everything.
    std::thread::id caller = std::this_thread::get_id();
    void here() const { EXPECT_EQ(std::this_thread::get_id(), caller); }
};

}  // namespace artel
