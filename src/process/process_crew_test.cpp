// process_crew: every index once when nothing happens, at least once when workers die, and nothing
// left behind.
#include <artel/process_crew.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace {

using counter = std::atomic<std::uint32_t>;

counter* counters(artel::process_crew& crew, std::size_t n)
{
    return static_cast<counter*>(crew.allocate_bytes(n * sizeof(counter), 64));
}

// relaxed throughout: for_each orders the workers' writes before what follows it
std::uint32_t value(const counter& c)
{
    return c.load(std::memory_order_relaxed);
}
void bump(counter& c)
{
    c.fetch_add(1, std::memory_order_relaxed);
}  // relaxed: as above

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

TEST(ProcessCrew, ExceptionsAreTriedAgainAndReported)
{
    artel::process_crew crew({.workers = 2, .tries = 3});
    auto* const ran = counters(crew, 100);
    const auto report = crew.for_each(0, 100, [=](std::uint64_t i) {
        bump(ran[i]);
        if (i == 42)
            throw std::runtime_error("no answer");
        if (i == 43 && value(ran[i]) == 1)
            throw 1;
    });
    EXPECT_FALSE(report.complete());
    EXPECT_EQ(report.given_up, 1u);
    EXPECT_EQ(report.failure_count, 4u);
    EXPECT_EQ(report.workers_lost, 0u);
    EXPECT_EQ(value(ran[42]), 3u);
    EXPECT_EQ(value(ran[43]), 2u);
    for (const auto& failure : report.failures)
        if (failure.index == 42) {
            EXPECT_EQ(failure.what, "no answer");
            EXPECT_EQ(failure.given_up, failure.attempt == 3);
        }
}

TEST(ProcessCrew, PoisonousIndicesFailAndTheRestIsDone)
{
    artel::process_crew crew({.workers = 2, .tries = 2});
    auto* const ran = counters(crew, 300);
    const auto report = crew.for_each(0, 300, [=](std::uint64_t i) {
        bump(ran[i]);
        if (i == 11) {
            ::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would make an exit status of it
            ::raise(SIGSEGV);
        }
        if (i == 12)
            ::raise(SIGKILL);
        if (i == 13)
            std::abort();
        if (i == 14)
            ::_exit(5);
    });
    EXPECT_EQ(report.given_up, 4u);
    EXPECT_EQ(report.failures.size(), 8u);
    EXPECT_EQ(report.workers_lost, 8u);
    const std::set<std::pair<std::uint64_t, int>> expected{
        {11, SIGSEGV}, {12, SIGKILL}, {13, SIGABRT}, {14, 0}};
    std::set<std::pair<std::uint64_t, int>> found;
    for (const auto& failure : report.failures) {
        found.emplace(failure.index, failure.signal);
        if (failure.index == 14) {
            EXPECT_EQ(failure.exit_status, 5);
        }
    }
    EXPECT_EQ(found, expected);
    for (std::uint64_t i = 0; i < 300; ++i)
        EXPECT_EQ(value(ran[i]), i >= 11 && i <= 14 ? 2u : 1u) << i;

    // The crew is as good as new.
    auto* const again = counters(crew, 50);
    EXPECT_TRUE(crew.for_each(0, 50, [=](std::uint64_t i) { bump(again[i]); }).complete());
}

TEST(ProcessCrew, LongTextsOfExceptionsAreCut)
{
    artel::process_crew crew({.workers = 1, .tries = 1});
    const auto report = crew.for_each(0, 2, [](std::uint64_t i) {
        throw std::runtime_error(std::string(i == 0 ? 478 : 2000, 'x'));
    });
    ASSERT_EQ(report.failures.size(), 2u);
    for (const auto& failure : report.failures)
        EXPECT_EQ(failure.what, std::string(478, 'x')) << failure.index;
}

// The buffers of stdio are copied to the workers with all other memory.
TEST(ProcessCrew, WhatIsPrintedIsPrintedOnce)
{
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const auto child = ::fork();  // its own stdout, and exit handlers that must not run in workers
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::setvbuf(stdout, nullptr, _IOFBF, 1 << 16);
        ::atexit([] { std::printf("handler\n"); });
        std::printf("program\n");
        unsigned failures = 0;
        {
            artel::process_crew crew({.workers = 2, .tries = 1});
            const auto report = crew.for_each(0, 3, [](std::uint64_t i) {
                std::printf("index %d\n", static_cast<int>(i));
                if (i == 1) {
                    ::atexit([] { std::printf("of the worker\n"); });
                    std::exit(7);
                }
            });
            for (const auto& it : report.failures)
                failures += it.index == 1 && it.exit_status == 7 ? 1 : 100;
        }
        std::printf("failures %u\n", failures);
        std::exit(0);
    }
    ::close(ends[1]);
    std::multiset<std::string> lines;
    std::string line;
    for (char c = 0; ::read(ends[0], &c, 1) == 1;)
        if (c != '\n')
            line += c;
        else
            lines.insert(std::exchange(line, {}));
    ::close(ends[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(lines, (std::multiset<std::string>{"failures 1", "handler", "index 0", "index 1",
                                                 "index 2", "of the worker", "program"}));
}

TEST(ProcessCrew, OutOfMemoryEndsAWorkerOnly)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers turn a failed allocation into an abort of another kind";
#endif
    artel::process_crew crew({.workers = 2, .tries = 2});
    auto* const ran = counters(crew, 20);
    const auto report = crew.for_each(0, 20, [=](std::uint64_t i) {
        bump(ran[i]);
        if (i == 3)
            throw std::bad_alloc();
    });
    EXPECT_EQ(report.given_up, 1u);
    ASSERT_EQ(report.failures.size(), 2u);
    EXPECT_NE(report.failures[0].what.find("bad_alloc"), std::string::npos);
}

TEST(ProcessCrew, WorkersKilledFromOutside)
{
    artel::process_crew crew({.workers = 3, .tries = 100});
    auto* const ran = counters(crew, 2000);
    std::atomic<bool> over{false};
    std::thread killer([&] {
        // relaxed: one look more or less does not matter.
        for (unsigned i = 0; !over.load(std::memory_order_relaxed); ++i) {
            const auto pids = crew.worker_pids();
            if (!pids.empty())
                ::kill(pids[i % pids.size()], i % 2 == 0 ? SIGKILL : SIGSEGV);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    const auto report = crew.for_each(0, 2000, [=](std::uint64_t i) {
        ::usleep(100);
        bump(ran[i]);
    });
    over.store(true, std::memory_order_relaxed);  // relaxed: as above
    killer.join();
    EXPECT_TRUE(report.complete());
    EXPECT_GT(report.workers_lost, 0u);
    for (std::uint64_t i = 0; i < 2000; ++i)
        EXPECT_GE(value(ran[i]), 1u) << i;
}

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

TEST(ProcessCrew, WrongOptions)
{
    EXPECT_THROW(artel::process_crew({.workers = 1, .tries = 0}), std::invalid_argument);
    EXPECT_THROW(artel::process_crew({.workers = 1, .tries = 201}), std::invalid_argument);
}
