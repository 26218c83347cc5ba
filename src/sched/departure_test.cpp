// The crew's OS threads end while nobody needs them, and come back.
#include "sched/crew.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "base/os/own_threads.hpp"
#include "base/os/yield.hpp"
#include "sched/alarm.hpp"
#include "sched/guest_scope.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace artel;

struct note : base::work {
    std::atomic<bool> done{false};
    note() noexcept
    {
        run = [](void*, base::work& self) {
            // release: pairs with the acquire of the test.
            static_cast<note&>(self).done.store(true, std::memory_order_release);
        };
    }
    void wait() const
    {
        while (!done.load(std::memory_order_acquire)) {  // acquire: see above
            base::os::yield();
        }
    }
};

// One piece of work for each of the crew's own threads, in one of the ways to hand work over.
void use(sched::crew& c, unsigned way)
{
    sched::worker& me = *c.enter();
    for (unsigned i = 0; i < c.member_limit(); ++i) {
        sched::worker& to = *c.member(i);
        note item;
        if (way == 0) {
            sched::post(to, item, item);
        } else if (way == 1) {
            me.tasks.push(&item);
            c.notify(&me);
        } else if (!sched::offer(to, item, 0)) {
            continue;
        }
        item.wait();
    }
}

// Whatever the kernel had to do meanwhile: an own thread may just be spinning.
bool ends_soon()
{
    for (int tries = 0; tries < 50; ++tries) {
        if (sched::crew::end_threads()) {
            return true;
        }
    }
    return false;
}

TEST(departure, threads_end_and_come_back_with_whatever_is_handed_over)
{
    sched::crew& c = sched::crew::get();
    for (unsigned round = 0; round < 30; ++round) {
        use(c, round % 3);
        if (round % 2 == 0) {
            c.start_monitor();
        }
        ASSERT_TRUE(ends_soon());
        // relaxed: a number.
        EXPECT_EQ(base::os::own_threads.load(std::memory_order_relaxed), 0);
    }
    use(c, 0);
}

TEST(departure, threads_stay_while_an_external_thread_takes_part)
{
    use(sched::crew::get(), 0);
    const sched::guest_scope scope;
    EXPECT_FALSE(sched::crew::end_threads());
}

// Work that comes while threads are sent away is run.
TEST(departure, work_that_comes_meanwhile_is_not_lost)
{
    sched::crew& c = sched::crew::get();
    std::atomic<bool> over{false};
    std::thread user([&] {
        for (unsigned round = 0; round < 600; ++round) {
            use(c, round % 3);
            if (round % 10 == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        }
        over.store(true, std::memory_order_relaxed);  // relaxed: nothing else is published
    });
    while (!over.load(std::memory_order_relaxed)) {  // relaxed: as above
        sched::crew::end_threads();
    }
    user.join();
    use(c, 0);
}

}  // namespace
