// The end of a process_crew, of its program, of a copy in a child or of its server: nothing is left
// behind.
#include "process/shared_counters.hpp"

#include <artel/process_crew.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using artel::process_test::bump;
using artel::process_test::counters;

namespace {

std::size_t open_files()
{
    std::filesystem::directory_iterator folder("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
}

bool is_alive(int pid)
{
    return ::kill(pid, 0) == 0;
}

// Not so when it has ended and nobody has awaited it yet: orphans belong to whoever adopts them.
bool is_running(int pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string word;
    char state = 'X';
    file >> word >> word >> state;
    return file && state != 'Z' && state != 'X';
}

}  // namespace

TEST(ProcessCrew, NothingIsLeftBehind)
{
    const auto files = open_files();
    std::vector<int> pids;
    {
        artel::process_crew crew({.workers = 4});
        crew.for_each(0, 100, [](std::uint64_t) { ::usleep(10); });
        // On a busy machine some workers are still to be made when the others have done it all.
        for (int i = 0; i < 2000 && (pids = crew.worker_pids()).size() < 4; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_EQ(pids.size(), 4u);
    }
    EXPECT_EQ(open_files(), files);
    for (const int pid : pids)
        EXPECT_FALSE(is_alive(pid));
}

// Everything that the program forks has the crew's descriptors open too.
TEST(ProcessCrew, EndsWhileOtherChildrenOfTheProgramLive)
{
    auto first = std::make_unique<artel::process_crew>(artel::process_crew_options{.workers = 2});
    artel::process_crew second({.workers = 2});
    const pid_t other = ::fork();
    if (other == 0) {
        ::pause();
        ::_exit(0);
    }
    const auto pids = first->worker_pids();
    first.reset();
    for (const int pid : pids)
        EXPECT_FALSE(is_alive(pid));
    auto* const ran = counters(second, 100);
    EXPECT_TRUE(second.for_each(0, 100, [=](std::uint64_t i) { bump(ran[i]); }).complete());
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
}

TEST(ProcessCrew, EndsWithTheProgram)
{
    auto* const pids = static_cast<std::atomic<int>*>(
        ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const pid_t program = ::fork();
    if (program == 0) {
        artel::process_crew crew({.workers = 2});
        crew.for_each(0, 10, [](std::uint64_t) {});
        // what keeps the descriptors open for longer.
        if (::fork() == 0) {
            // relaxed, all: waitpid below orders them.
            pids[2].store(::getpid(), std::memory_order_relaxed);
            ::pause();
        }
        while (pids[2].load(std::memory_order_relaxed) == 0)
            ::usleep(100);
        // A loop may be over before the second worker has been made.
        while (crew.worker_pids().size() < 2)
            ::usleep(100);
        for (unsigned i = 0; i < 2; ++i)
            pids[i].store(crew.worker_pids().at(i), std::memory_order_relaxed);
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(program, nullptr, 0);
    for (unsigned i = 0; i < 2; ++i) {
        const int pid = pids[i].load(std::memory_order_relaxed);
        ASSERT_GT(pid, 0);
        // for ever, where the crew outlives its program: the test's time limit says so.
        while (is_running(pid))
            ::usleep(1000);
    }
    ::kill(pids[2].load(std::memory_order_relaxed), SIGKILL);
    ::munmap(pids, 4096);
}

TEST(ProcessCrew, ACopyInAForkedChildLeavesTheCrewAlone)
{
    auto crew = std::make_unique<artel::process_crew>(artel::process_crew_options{.workers = 2});
    const pid_t child = ::fork();
    if (child == 0) {
        crew.reset();
        ::_exit(7);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 7);
    auto* const ran = counters(*crew, 100);
    const auto report = crew->for_each(0, 100, [=](std::uint64_t i) { bump(ran[i]); });
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.workers_lost, 0u);
}

// The server is nobody's to kill, but the loop must not wait for ever when it happens, whoever has
// collected its status.
TEST(ProcessCrew, SaysThatItsServerIsGone)
{
    for (const bool status_is_lost : {false, true}) {
        const auto before = status_is_lost ? std::signal(SIGCHLD, SIG_IGN) : SIG_DFL;
        artel::process_crew crew({.workers = 1});
        auto* const server = crew.allocate<int>(1);
        crew.for_each(0, 1, [=](std::uint64_t) { *server = ::getppid(); });
        EXPECT_THROW(crew.for_each(0, 1,
                                   [=](std::uint64_t) {
                                       ::kill(*server, SIGKILL);
                                       ::pause();
                                   }),
                     std::runtime_error);
        EXPECT_THROW(crew.for_each(0, 1, [](std::uint64_t) {}), std::runtime_error);
        if (status_is_lost)
            std::signal(SIGCHLD, before);
    }
}
