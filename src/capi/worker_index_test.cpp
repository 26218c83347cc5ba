// Indices of workers that the crew has added because light threads spin on each other.
#include "sched/crew.hpp"

#include <artel/artel.hpp>
#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <vector>

namespace {

using namespace artel;

TEST(worker_index, of_reserves_is_nobody_elses)
{
    sched::crew& c = sched::crew::get();
    c.start_monitor();
    constexpr unsigned many = 12;
    if (c.width() >= many) {
        GTEST_SKIP() << "for fewer workers than light threads";
    }
    latch begun(many);
    latch go_on(1);
    std::atomic<unsigned> present{0};
    std::mutex lock;
    std::set<unsigned> seen;
    bool reserves = false;
    std::vector<light_thread> all;
    for (unsigned i = 0; i < many; ++i) {
        all.emplace_back([&] {
            begun.count_down();
            go_on.wait();  // so that it is in the ready queue, where the monitor sees it
            {
                const std::scoped_lock hold(lock);
                const unsigned mine = worker_index();
                EXPECT_LT(mine, worker_index_bound());
                EXPECT_LT(mine, worker_index_end());
                EXPECT_TRUE(seen.insert(mine).second) << "two at a time have index " << mine;
                reserves |= sched::this_worker()->kind == sched::role::reserve;
            }
            ++present;
            while (present < many) {  // all execute at the same time
            }
        });
    }
    begun.wait();
    go_on.count_down();
    for (light_thread& t : all) {
        t.join();
    }
    EXPECT_EQ(seen.size(), many);
    EXPECT_TRUE(reserves);
    // Dense: the external thread, the crew's own, and the reserves.
    EXPECT_LE(worker_index_end(), c.table_size());
}

}  // namespace
