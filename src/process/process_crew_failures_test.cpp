// process_crew: indices that fail and workers that die. Every index is run at least once, and the
// report tells of each failure.
#include "process/shared_counters.hpp"

#include <artel/process_crew.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

using artel::process_test::bump;
using artel::process_test::counters;
using artel::process_test::value;

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
