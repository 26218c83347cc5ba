// Which guests count as preempted: one that shares a CPU with another thread, one that sleeps, one
// outside of all scopes.
#include "sched/preempted_peer.hpp"

#include "sched/crew.hpp"
#include "sched/suspend.hpp"

#include <atomic>
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

using artel::sched::crew;
using artel::sched::preempted;
using artel::sched::preempted_peer_watch;
using artel::sched::worker;
using namespace std::chrono_literals;

// Keeps the calling thread on the first CPU that it may use.
void stay_on_first_cpu()
{
    cpu_set_t all;
    ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &all)) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
            return;
        }
    }
}

struct preempted_peer : testing::Test {
    std::atomic<bool> over{false};
    std::atomic<int> ready{0};
    std::atomic<pid_t> number{0};  // of the colleague's thread
    std::thread rival;
    std::thread colleague;
    preempted_peer_watch watch;
    worker* const self = crew::get().enter();

    void spin()
    {
        ++ready;
        while (!over.load(std::memory_order_relaxed)) {  // relaxed: a flag
        }
    }

    // A guest of the crew that does `what`, inside a scope or not.
    template <class What>
    void begin_colleague(bool takes_part, const What& what)
    {
        colleague = std::thread([=, this] {
            number = ::gettid();
            worker* const w = crew::get().enter();
            if (takes_part) {
                w->own_crew.guest_begins(*w);
            }
            what();
            if (takes_part) {
                w->own_crew.guest_ends(*w);
            }
        });
    }

    void wait_until_ready(int threads) const
    {
        while (ready < threads) {
            std::this_thread::yield();
        }
    }

    // Waits until the colleague waits in the kernel: before, it may be preempted, and continue.
    void wait_until_colleague_sleeps() const
    {
        std::string stat;
        do {
            std::this_thread::yield();
            std::ifstream file("/proc/self/task/" + std::to_string(number.load()) + "/stat");
            std::getline(file, stat);
        } while (stat.find(") S ") == stat.npos);
    }

    void TearDown() override
    {
        over = true;
        over.notify_all();
        for (std::thread* t : {&rival, &colleague}) {
            if (t->joinable()) {
                t->join();
            }
        }
    }

    preempted look()
    {
        std::this_thread::sleep_for(40us);
        return watch.look(*self);
    }
};

}  // namespace

TEST_F(preempted_peer, a_colleague_whose_cpu_another_thread_has_is_seen)
{
    const auto compete = [this] {
        stay_on_first_cpu();
        spin();
    };
    rival = std::thread(compete);
    begin_colleague(true, compete);
    wait_until_ready(2);
    preempted seen = preempted::nobody;
    for (int looks = 0; looks < 1000000 && seen != preempted::surely; ++looks) {
        seen = look();
    }
    EXPECT_EQ(seen, preempted::surely);
}

TEST_F(preempted_peer, one_that_sleeps_is_given_up)
{
    begin_colleague(true, [this] {
        ++ready;
        over.wait(false);
    });
    wait_until_ready(1);
    wait_until_colleague_sleeps();
    unsigned times = 0;
    preempted seen = preempted::nobody;
    do {
        seen = look();
        times += seen == preempted::surely ? 1 : 0;
    } while (times == 0 || seen != preempted::nobody);
    EXPECT_GE(times, 10u);
    for (int looks = 0; looks < 100; ++looks) {
        ASSERT_EQ(look(), preempted::nobody);
    }
}

TEST_F(preempted_peer, one_that_takes_part_in_nothing_is_not_watched)
{
    begin_colleague(false, [this] {
        ++ready;
        over.wait(false);
    });
    wait_until_ready(1);
    for (int looks = 0; looks < 100; ++looks) {
        ASSERT_EQ(look(), preempted::nobody);
    }
}
