// The monitor starts soon after it is wanted, whichever thread has to start it. Each case in a
// process of its own, whose crew is new.
#include "fiber/sanitizer.hpp"
#include "sched/crew.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace artel;
using namespace std::chrono_literals;

// The monitor's thread id; 0 if there is none after `time_limit`.
pid_t find_monitor(std::chrono::milliseconds time_limit)
{
    for (const auto end = std::chrono::steady_clock::now() + time_limit;;) {
        for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
            std::string name;
            std::getline(std::ifstream(thread.path() / "comm"), name);
            if (name == "artel-monitor") {
                return static_cast<pid_t>(std::stol(thread.path().filename()));
            }
        }
        if (std::chrono::steady_clock::now() > end) {
            return 0;
        }
        std::this_thread::sleep_for(1ms);
    }
}

[[noreturn]] void report(bool right)
{
    std::_Exit(right ? 0 : 1);
}

class MonitorStart : public testing::Test {
protected:
    void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(MonitorStart, ByTheCallerWhenNobodyIsStarting)
{
    EXPECT_EXIT(
        {
            sched::crew::get().start_monitor_soon();
            report(find_monitor(10s) != 0);
        },
        testing::ExitedWithCode(0), "");
}

TEST_F(MonitorStart, ByAnOwnThreadThatIsStarting)
{
    EXPECT_EXIT(
        {
            sched::crew::get().own_worker(0);
            sched::crew::get().start_monitor_soon();
            report(find_monitor(10s) != 0);
        },
        testing::ExitedWithCode(0), "");
}

TEST_F(MonitorStart, ByTheCallerWhenAllOwnThreadsHaveStarted)
{
    EXPECT_EXIT(
        {
            sched::worker* const own = sched::crew::get().own_worker(0);
            while (!own->bed.is_parked()) {  // after its search for work
                std::this_thread::sleep_for(1ms);
            }
            sched::crew::get().start_monitor_soon();
            report(find_monitor(10s) != 0);
        },
        testing::ExitedWithCode(0), "");
}

// A thread that cannot be made starts nothing.
TEST_F(MonitorStart, ByTheCallerWhenThreadsCannotBeMade)
{
#if defined(ARTEL_ASAN) || defined(ARTEL_TSAN)
    GTEST_SKIP() << "the sanitizer's runtime needs address space itself";
#endif
    EXPECT_EXIT(
        {
            sched::crew& c = sched::crew::get();
            std::size_t pages = 0;
            std::ifstream("/proc/self/statm") >> pages;
            rlimit before{};
            ::getrlimit(RLIMIT_AS, &before);
            rlimit narrow = before;  // enough for a worker, not for the stack of a thread
            narrow.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (1 << 20);
            ::setrlimit(RLIMIT_AS, &narrow);
            const bool failed = c.own_worker(0) == nullptr;
            ::setrlimit(RLIMIT_AS, &before);
            c.start_monitor_soon();
            report(failed && find_monitor(10s) != 0);
        },
        testing::ExitedWithCode(0), "cannot create worker thread 1: Resource");
}

TEST_F(MonitorStart, NotIfItIsTurnedOff)
{
    ::setenv("ARTEL_MONITOR", "0", 1);
    EXPECT_EXIT(
        {
            sched::crew::get().own_worker(0);
            sched::crew::get().start_monitor_soon();
            report(find_monitor(100ms) == 0);
        },
        testing::ExitedWithCode(0), "");
    ::unsetenv("ARTEL_MONITOR");
}

// The monitor inherits the affinity mask of the thread that starts it.
TEST_F(MonitorStart, ByABoundThreadBindsNoMonitor)
{
    ::setenv("ARTEL_BIND", "threads", 1);
    EXPECT_EXIT(
        {
            sched::crew::get().own_worker(0);
            sched::crew::get().start_monitor_soon();
            const pid_t monitor = find_monitor(10s);
            cpu_set_t ours;
            cpu_set_t its;
            report(monitor != 0 && ::sched_getaffinity(0, sizeof ours, &ours) == 0 &&
                   ::sched_getaffinity(monitor, sizeof its, &its) == 0 && CPU_EQUAL(&ours, &its));
        },
        testing::ExitedWithCode(0), "");
    ::unsetenv("ARTEL_BIND");
}

}  // namespace
