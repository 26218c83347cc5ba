// Counts who is at work at the leaves of loops, calls and groups that are started inside of each
// other.
#pragma once

#include "support.hpp"

#include <artel/artel.hpp>
#include <atomic>
#include <chrono>

namespace test {

// Counts those who are at work, at the leaves of what is started.
class leaves {
public:
    void work()
    {
        at_work_.enter();
        work_for(std::chrono::microseconds(3));
        ++done_;
        at_work_.leave();
    }
    void expect(unsigned most, unsigned times) const
    {
        EXPECT_LE(at_work_.most(), most);
        EXPECT_EQ(done_.load(), times);
    }

private:
    attendance at_work_;
    std::atomic<unsigned> done_{0};
};

inline void recurse(int depth, leaves& all)
{
    if (depth == 0) {
        all.work();
        return;
    }
    artel::parallel_invoke([&] { recurse(depth - 1, all); }, [&] { recurse(depth - 1, all); });
}

// A bit of everything, inside of each other: 8 + 8 + 10 + 4 * (16 + 4) leaves.
constexpr unsigned of_everything = 106;
inline void everything(leaves& all)
{
    recurse(3, all);
    artel::parallel_for(0, 8, [&](int) { all.work(); });
    artel::task_group group;
    for (int i = 0; i < 10; ++i) {
        group.run([&] { all.work(); });
    }
    artel::parallel_for(0, 4, [&](int) {
        recurse(4, all);
        artel::task_group inner;
        for (int i = 0; i < 4; ++i) {
            inner.run([&] { all.work(); });
        }
        inner.wait();
    });
    group.wait();
}

}  // namespace test
