// Fetching a colleague whose CPU somebody else has taken: a guest computes on a CPU on which another thread spins, and we wait on the next one.
#include "sched/put_aside.hpp"

#include "base/os/thread_state.hpp"
#include "sched/crew.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <pthread.h>
#include <thread>
#include <vector>

namespace {

using artel::sched::crew;
using artel::sched::put_aside_watch;
using artel::sched::worker;
using namespace std::chrono_literals;

cpu_set_t set_of(std::initializer_list<unsigned> cpus)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const unsigned cpu : cpus) {
        CPU_SET(cpu, &set);
    }
    return set;
}

void allow(pthread_t thread, const cpu_set_t& set)
{
    ASSERT_EQ(pthread_setaffinity_np(thread, sizeof set, &set), 0);
}

struct put_aside : testing::Test {
    cpu_set_t before{};
    std::vector<unsigned> cpus;
    std::atomic<bool> over{false};
    std::atomic<int> ready{0};
    std::thread rival;
    std::thread colleague;

    void SetUp() override
    {
        ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
        for (unsigned cpu = 0; cpu < CPU_SETSIZE && cpus.size() < 2; ++cpu) {
            if (CPU_ISSET(cpu, &before)) {
                cpus.push_back(cpu);
            }
        }
        if (cpus.size() < 2) {
            GTEST_SKIP() << "needs two CPUs";
        }
        const auto spin = [this] {
            ++ready;
            while (!over.load(std::memory_order_relaxed)) {  // relaxed: a flag
            }
        };
        rival = std::thread(spin);
        colleague = std::thread([=] {
            worker* const w = crew::get().enter();
            ASSERT_NE(w, nullptr);
            w->home.guest_begins(*w);
            spin();
            w->home.guest_ends(*w);
        });
        while (ready < 2) {
            std::this_thread::yield();
        }
        allow(rival.native_handle(), set_of({cpus[0]}));
        allow(pthread_self(), set_of({cpus[1]}));
    }

    void TearDown() override
    {
        over = true;
        if (rival.joinable()) {
            rival.join();
            colleague.join();
        }
        sched_setaffinity(0, sizeof before, &before);
    }

    // Looks for so long, or until somebody has been brought.
    static bool looks(std::chrono::microseconds how_long)
    {
        worker* const w = crew::get().enter();
        put_aside_watch watch;
        const auto end = std::chrono::steady_clock::now() + how_long;
        while (std::chrono::steady_clock::now() < end) {
            if (watch.look(*w)) {
                return true;
            }
            const auto next = std::chrono::steady_clock::now() + 20us;
            while (std::chrono::steady_clock::now() < next) {
            }
        }
        return false;
    }
};

}  // namespace

TEST_F(put_aside, a_colleague_without_a_cpu_is_brought_and_keeps_its_mask)
{
    const cpu_set_t both = set_of({cpus[0], cpus[1]});
    bool brought = false;
    // The kernel may be faster, and as it likes: then from the beginning.
    for (int attempt = 0; attempt < 2000 && !brought; ++attempt) {
        allow(colleague.native_handle(), set_of({cpus[0]}));
        allow(colleague.native_handle(), both);
        brought = looks(20ms);
    }
    EXPECT_TRUE(brought);
    cpu_set_t now;
    ASSERT_EQ(pthread_getaffinity_np(colleague.native_handle(), sizeof now, &now), 0);
    EXPECT_TRUE(CPU_EQUAL(&now, &both));
}

TEST_F(put_aside, a_colleague_stays_where_its_mask_keeps_it)
{
    const cpu_set_t there = set_of({cpus[0]});
    allow(colleague.native_handle(), there);
    EXPECT_FALSE(looks(100ms));
    cpu_set_t now;
    ASSERT_EQ(pthread_getaffinity_np(colleague.native_handle(), sizeof now, &now), 0);
    EXPECT_TRUE(CPU_EQUAL(&now, &there));
}

TEST(thread_state, tells_who_runs_and_who_sleeps)
{
    namespace os = artel::base::os;
    std::atomic<bool> asked{false};
    std::atomic<clockid_t> clock{0};
    std::thread other([&] {
        clockid_t mine = 0;
        pthread_getcpuclockid(pthread_self(), &mine);
        clock = mine;
        asked.wait(false);
    });
    while (clock == 0) {
        std::this_thread::yield();
    }
    const int thread = os::thread_of_clock(clock);
    while (!os::read_thread_state(thread).sleeps()) {  // it is about to
        std::this_thread::yield();
    }
    EXPECT_GT(os::read_clock(clock), 0u);
    asked = true;
    asked.notify_all();
    other.join();
    while (os::read_thread_state(thread).code != '?' || os::read_clock(clock) != 0) {  // joined a moment before it is gone
        std::this_thread::yield();
    }

    clockid_t mine = 0;
    pthread_getcpuclockid(pthread_self(), &mine);
    EXPECT_TRUE(os::read_thread_state(os::thread_of_clock(mine)).wants_cpu());
}
