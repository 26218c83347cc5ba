// Who asks for one thread gets one: constructs whose caller does all of their work neither make nor
// wake a worker. (A task of a group that was started outside of all constructs does: its maker may
// be away for long before it waits.) Run with ARTEL_NUM_THREADS=1 by src/CMakeLists.txt, and left
// out at other widths.
#include "sched/crew.hpp"

#include <artel/artel.hpp>
#include <atomic>
#include <gtest/gtest.h>

namespace {

using namespace artel;

int fib(int n)
{
    if (n < 2) {
        return n;
    }
    int a = 0;
    int b = 0;
    parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
    return a + b;
}

TEST(one_thread, needs_no_worker)
{
    sched::crew& c = sched::crew::get();
    if (c.width() != 1) {
        GTEST_SKIP() << "for a width of 1";
    }
    for (int round = 0; round < 50; ++round) {
        EXPECT_EQ(fib(12), 144);
        std::atomic<int> sum{0};
        parallel_for(0, 100, [&](int i) { sum += i; });
        EXPECT_EQ(sum, 4950);
        EXPECT_EQ(parallel_reduce(
                      0, 100, 0, [](int i) { return i; }, [](int a, int b) { return a + b; }),
                  4950);
    }
    EXPECT_EQ(c.member_count(), 0u);
}

}  // namespace
