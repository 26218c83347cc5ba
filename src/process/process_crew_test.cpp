// process_crew: every index once when nothing happens, memory that is bounded and aligned, and who
// and what a crew serves.
#include "process/shared_counters.hpp"

#include <artel/process_crew.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using artel::process_test::bump;
using artel::process_test::counters;
using artel::process_test::value;

TEST(ProcessCrew, EveryIndexOnceInOtherProcesses)
{
    artel::process_crew crew({.workers = 3});
    for (const std::uint64_t n : {0u, 1u, 2u, 1000u, 5000u}) {
        auto* const ran = counters(crew, n + 1);
        auto* const pids = crew.allocate<int>(n + 1);
        const auto report = crew.for_each(7, 7 + n, [=](std::uint64_t i) {
            bump(ran[i - 7]);
            pids[i - 7] = ::getpid();
        });
        EXPECT_TRUE(report.complete());
        EXPECT_EQ(report.failure_count, 0u);
        for (std::uint64_t i = 0; i < n; ++i) {
            ASSERT_EQ(value(ran[i]), 1u) << i;
            ASSERT_NE(pids[i], ::getpid());
        }
        EXPECT_EQ(value(ran[n]), 0u);
        crew.release_all();
    }
}

TEST(ProcessCrew, TheArenaIsBounded)
{
    artel::process_crew crew({.workers = 1, .arena_bytes = 1 << 16});
    EXPECT_NO_THROW(crew.allocate<char>(60000));
    EXPECT_THROW(crew.allocate<char>(60000), std::bad_alloc);
    EXPECT_THROW(crew.allocate<double>(static_cast<std::size_t>(-1) / 4), std::bad_alloc);
    auto* const byte = crew.allocate<char>(1);
    *byte = 1;
    crew.release_all();
    EXPECT_EQ(*crew.allocate<char>(60000), 0);
}

TEST(ProcessCrew, AlignsAddresses)
{
    artel::process_crew crew({.workers = 1, .arena_bytes = std::size_t{8} << 20});
    for (const std::size_t alignment : {std::size_t{1}, std::size_t{64}, std::size_t{8192},
                                        std::size_t{65536}, std::size_t{2} << 20}) {
        crew.allocate<char>(3);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(crew.allocate_bytes(100, alignment)) % alignment,
                  0u)
            << alignment;
    }
    EXPECT_THROW(crew.allocate_bytes(8, 0), std::invalid_argument);
    EXPECT_THROW(crew.allocate_bytes(8, 24), std::invalid_argument);
}

TEST(ProcessCrew, ServesOnlyWhoMadeIt)
{
    artel::process_crew crew({.workers = 1, .tries = 1});
    auto* const mine = &crew;
    const auto report = crew.for_each(
        0, 1, [=](std::uint64_t) { mine->for_each(0, 1, [](std::uint64_t) {}); });
    EXPECT_EQ(report.given_up, 1u);
    ASSERT_EQ(report.failures.size(), 1u);
    EXPECT_NE(report.failures[0].what.find("serves the process that made it"), std::string::npos);
    EXPECT_TRUE(crew.for_each(0, 1, [](std::uint64_t) {}).complete());
}

TEST(ProcessCrew, DoesWithTheWorkersThatTheSystemGives)
{
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer's own threads count against the limit";
#endif
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(20);
        // This process, the fork server, and one worker, of a user that has no others: another run
        // of this test may be under way.
        const rlimit three{3, 3};
        const auto user = static_cast<uid_t>(10000 + ::getpid() % 50000);
        if (::setrlimit(RLIMIT_NPROC, &three) != 0 ||
            (::getuid() == 0 && ::setresuid(user, user, user) != 0))
            ::_exit(2);
        artel::process_crew crew({.workers = 4});
        auto* const ran = counters(crew, 100);
        bool complete = true;
        for (int loop = 0; loop < 3; ++loop)
            complete = crew.for_each(0, 100, [=](std::uint64_t i) { bump(ran[i]); }).complete() &&
                       complete;
        ::_exit(complete ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        GTEST_SKIP() << "no right to become another user";
    EXPECT_EQ(status, 0);
}

// Pages of shared memory that this process has touched, in kB.
long shared_pages()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssShmem:"))
            return std::stol(line.substr(9));
    return 0;
}

TEST(ProcessCrew, GivesBackWhatALongLoopHasTaken)
{
    artel::process_crew crew({.workers = 2});
    crew.for_each(0, 10, [](std::uint64_t) {});
    const long before = shared_pages();
    EXPECT_TRUE(crew.for_each(0, std::uint64_t{1} << 21, [](std::uint64_t) {}).complete());
    EXPECT_LT(shared_pages() - before, 1024);  // of 2048 for the states of the indices
}

TEST(ProcessCrew, WrongOptions)
{
    EXPECT_THROW(artel::process_crew({.workers = 1, .tries = 0}), std::invalid_argument);
    EXPECT_THROW(artel::process_crew({.workers = 1, .tries = 201}), std::invalid_argument);
}
