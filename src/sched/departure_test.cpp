// The crew's OS threads end while nobody needs them, and come back.
#include "sched/crew.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "base/os/own_threads.hpp"
#include "base/os/yield.hpp"
#include "fiber/sanitizer.hpp"
#include "sched/alarm.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

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
    for (unsigned i = 0; i < c.own_worker_limit(); ++i) {
        sched::worker& to = *c.own_worker(i);
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

// The numbers of the process's threads, of one name or of all.
std::vector<int> threads(const std::string& name = {})
{
    std::vector<int> found;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", none)) {
        std::string its;
        std::ifstream(entry.path() / "comm") >> its;
        if (name.empty() || its == name) {
            found.push_back(std::atoi(entry.path().filename().c_str()));
        }
    }
    return found;
}

// A thread that is bound to one CPU wakes workers, and with them the monitor.
TEST(departure, threads_that_come_back_may_use_the_programs_cpus)
{
    cpu_set_t mine;
    if (::sched_getaffinity(0, sizeof mine, &mine) != 0 || CPU_COUNT(&mine) < 2) {
        GTEST_SKIP();
    }
    sched::crew& c = sched::crew::get();
    use(c, 0);
    c.start_monitor();
    ASSERT_TRUE(ends_soon());
    std::thread([&] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one);
        ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
        use(c, 0);
        c.start_monitor();
    }).join();
    for (const char* name : {"artel-worker", "artel-monitor"}) {
        unsigned right = 0;
        for (int tries = 0; tries < 2000 && right == 0; ++tries) {
            const std::vector<int> all = threads(name);
            right = static_cast<unsigned>(std::count_if(all.begin(), all.end(), [&](int thread) {
                cpu_set_t its;
                return ::sched_getaffinity(thread, sizeof its, &its) == 0 && CPU_EQUAL(&its, &mine);
            }));
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        EXPECT_NE(right, 0u) << name;
    }
}

// Threads that have just been asked for end as others do, and the kernel has forgotten them.
TEST(departure, threads_that_just_start_are_waited_for)
{
    sched::crew& c = sched::crew::get();
    use(c, 0);
    ASSERT_TRUE(ends_soon());
    // The kernel may still list threads that an earlier test has joined.
    const std::size_t others = threads().size();
    for (unsigned round = 0; round < 200; ++round) {
        if (round % 2 == 0) {
            c.start_monitor();
        } else {
            c.own_worker(0)->bed.unpark();
        }
        ASSERT_TRUE(ends_soon());
        ASSERT_LE(threads().size(), others) << round;
    }
}

#if !defined(ARTEL_ASAN) && !defined(ARTEL_TSAN)
// A worker whose thread could not be made keeps nobody from ending, nor does a wish for it.
TEST(departure, a_worker_without_a_thread_does_not_stay)
{
    const pid_t child = ::fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
        sched::crew& c = sched::crew::get();
        c.start_monitor();
        pthread_attr_t huge;
        ::pthread_attr_init(&huge);
        if (::pthread_attr_setstacksize(&huge, std::size_t{1} << 46) != 0 ||
            ::pthread_setattr_default_np(&huge) != 0 || c.own_worker(0) != nullptr) {
            ::_exit(2);
        }
        ::_exit(ends_soon() && threads().size() == 1 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}
#endif

// The second call is for workers that had to wait for a CPU. See src/CMakeLists.txt for the
// settings with which workers and the monitor take longer than they usually have.
TEST(departure_with_settings, threads_end_although_they_spin_or_nap_for_long)
{
    sched::crew& c = sched::crew::get();
    for (unsigned round = 0; round < 2; ++round) {
        use(c, 0);
        c.start_monitor();
        EXPECT_TRUE(sched::crew::end_threads() || sched::crew::end_threads());
    }
}

}  // namespace
