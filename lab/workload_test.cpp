// The workloads' checks must be able to fail: each gets a result with one error.
#include "lab/workload.hpp"
#include "lab/alloc_ring.hpp"
#include "lab/exchange_steps.hpp"
#include "lab/matrix.hpp"
#include "lab/tasks.hpp"
#include "lab/testing.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <csignal>
#include <functional>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace artel::lab;
using namespace artel::lab::testing;

namespace {

std::atomic<bool> damage_arrays{false};

struct made_workload {
    explicit made_workload(const cell& c)
        : how(variant_named(c.variant)), records(c.tasks, 0), work(make_workload(c, how, records))
    {
        const std::function<void(unsigned)> body = [this](unsigned task) { work->run(task); };
        refusal = run_tasks(how.processes, c.tasks, "none", body);
    }
    const variant& how;
    task_records records;
    std::unique_ptr<workload> work;
    std::string refusal;
};

cell sized(const char* workload, const char* variant, unsigned tasks, std::uint64_t size)
{
    auto c = cell_of(workload, variant, tasks);
    c.size = size;
    c.width = 16;
    c.full_check = true;
    return c;
}

template <class Layout>
void one_wrong_element(std::size_t size)
{
    const Layout layout(size);
    std::vector<double> a(layout.elements()), b(a), r(a);
    fill_matrix(layout, a.data(), 1);
    fill_matrix(layout, b.data(), 2);
    multiply_rows(layout, a.data(), b.data(), r.data(), 0, size);
    EXPECT_EQ(find_wrong_row(layout, a.data(), b.data(), r.data()), -1);
    EXPECT_EQ(find_wrong_row_fully(layout, a.data(), b.data(), r.data()), -1);
    for (const double error : {1.0, -1.0, 0.25, 0x1p60}) {
        auto wrong = r;
        wrong[layout(size / 2, size - 1)] += error;
        const auto row = static_cast<std::ptrdiff_t>(size / 2);
        EXPECT_EQ(find_wrong_row(layout, a.data(), b.data(), wrong.data()), row) << error;
        EXPECT_EQ(find_wrong_row_fully(layout, a.data(), b.data(), wrong.data()), row) << error;
    }
}

}  // namespace

// Replaces the C library's pread in the whole test program, so that the data of an array can be
// damaged on its way to the receiver.
extern "C" ssize_t pread(int file, void* buffer, std::size_t bytes, off_t offset)
{
    const auto n = ::syscall(SYS_pread64, file, buffer, bytes, offset);
    // relaxed: set before the tasks are started.
    if (n > 0 && damage_arrays.load(std::memory_order_relaxed))
        static_cast<char*>(buffer)[0] ^= 1;
    return n;
}

TEST(LabMatrix, OneWrongElementIsFound)
{
    for (const std::size_t size : {1u, 2u, 33u, 64u}) {
        one_wrong_element<rows_layout>(size);
        one_wrong_element<tiles_layout>(size);
    }
}

TEST(LabMatrix, TilesHoldEveryElementOnce)
{
    const tiles_layout layout(67);
    std::vector<bool> used(layout.elements());
    for (std::size_t i = 0; i < 67; ++i)
        for (std::size_t k = 0; k < 67; ++k) {
            ASSERT_LT(layout(i, k), used.size());
            ASSERT_FALSE(used[layout(i, k)]);
            used[layout(i, k)] = true;
        }
}

TEST(LabMatrix, RowsThatNobodyComputedAreMissed)
{
    for (const char* workload : {"rows", "tiles"})
        for (const char* variant : {"T-M", "P"}) {
            made_workload it(sized(workload, variant, 3, 33));
            ASSERT_EQ(it.refusal, "");
            EXPECT_EQ(it.work->check(), "");
            --it.records[1].steps;
            EXPECT_NE(it.work->check(), "");
        }
}

TEST(LabAlloc, AWrongChecksumOrAMissingStepIsFound)
{
    for (const char* variant : {"T", "P"}) {
        made_workload it(sized("alloc", variant, 3, 3000));
        ASSERT_EQ(it.refusal, "");
        EXPECT_EQ(it.work->check(), "");
        it.records[0].checksum ^= 1;
        EXPECT_NE(it.work->check().find("task 0 has checksum"), std::string::npos);
        it.records[0].checksum ^= 1;
        --it.records[2].steps;
        EXPECT_NE(it.work->check().find("task 2 executed"), std::string::npos);
    }
}

TEST(LabExchanges, ALostOrDoubledArrayIsFound)
{
    for (const char* variant : {"T", "P"}) {
        made_workload it(sized("exchanges", variant, 3, 900));
        ASSERT_EQ(it.refusal, "");
        EXPECT_EQ(it.work->check(), "");  // also takes what is in the pipes
        unsigned holder = 0;
        while (holder < 3 && it.records[holder].array < 0)
            ++holder;
        ASSERT_LT(holder, 3u);
        const auto array = it.records[holder].array;
        it.records[holder].array = -1;
        EXPECT_NE(it.work->check().find("in 0 places"), std::string::npos);
        it.records[holder].array = array;
        it.records[(holder + 1) % 3].array = array;
        EXPECT_NE(it.work->check(), "");
    }
}

TEST(LabExchanges, AnArrayDamagedOnItsWayFailsTheCell)
{
    auto c = sized("exchanges", "P", 2, 900);
    for (const bool full : {false, true}) {
        c.full_check = full;
        EXPECT_EQ(run_cell(c).at("status"), "ok");
        damage_arrays.store(true, std::memory_order_relaxed);  // relaxed: see pread
        const auto result = run_cell(c);
        damage_arrays.store(false, std::memory_order_relaxed);  // relaxed: as above
        EXPECT_EQ(result.at("status"), "fail");
        EXPECT_NE(result.value("reason", "").find("wrong result: array"), std::string::npos)
            << result.dump();
    }
}

// The time of doing nothing would be the shortest of all.
TEST(LabCell, FewerStepsThanTasksAreRefused)
{
    for (const char* workload : {"alloc", "exchanges"})
        for (const char* variant : {"T", "P"}) {
            const auto result = run_cell(sized(workload, variant, 8, 7));
            EXPECT_EQ(result.at("status"), "fail");
            EXPECT_NE(result.value("reason", "").find("K = 7 steps are too few for 8 tasks"),
                      std::string::npos)
                << result.dump();
            EXPECT_EQ(run_cell(sized(workload, variant, 8, 8)).at("status"), "ok");
        }
}

TEST(LabExchanges, SumsAreAsPreciseAsTheOrderAllows)
{
    std::vector<double> scratch;
    const std::vector<double> one{3.5};
    EXPECT_EQ(most_precise_sum(one.data(), 1, scratch), 3.5);
    // Added from the left, the small ones vanish one by one.
    std::vector<double> many(1025, 1.0);
    many[0] = 0x1p53;
    double naive = 0;
    for (const double it : many)
        naive += it;
    EXPECT_EQ(naive, 0x1p53);
    EXPECT_EQ(most_precise_sum(many.data(), many.size(), scratch), 0x1p53 + 1024);
}

TEST(LabExchanges, TheOracleKnowsImpossibleCounts)
{
    // Task 0 cannot have exchanged with a neighbour that never did.
    std::uint64_t until_swap = 1;
    for (exchange_sequence it(0, 16); it.next().operation != exchange_step::swap;)
        ++until_swap;
    EXPECT_TRUE(exchange_oracle({{until_swap, true}, {0, true}}, 16).empty());
    EXPECT_EQ(exchange_oracle({{0, true}, {0, true}}, 16).size(), 2u);
}

TEST(LabTasks, AffinityByNumber)
{
    const std::vector<int> cpus{2, 5, 7};
    std::vector<int> interleaved, grouped;
    for (unsigned i = 0; i < 6; ++i) {
        interleaved.push_back(cpu_of_task("interleave", i, 6, cpus));
        grouped.push_back(cpu_of_task("group", i, 6, cpus));
    }
    EXPECT_EQ(interleaved, (std::vector<int>{2, 5, 7, 2, 5, 7}));
    EXPECT_EQ(grouped, (std::vector<int>{2, 2, 5, 5, 7, 7}));
    EXPECT_EQ(cpu_of_task("none", 3, 6, cpus), -1);
    EXPECT_EQ(cpu_of_task("group", 511, 512, cpus), 7);
    EXPECT_EQ(cpu_of_task("interleave", 3, 6, {}), -1);
    EXPECT_EQ(cpu_of_task("group", 3, 6, {}), -1);
}

TEST(LabTasks, RunOnTheCpusOfTheProcess)
{
    const auto cpus = usable_cpus();
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (::sched_getaffinity(0, sizeof mask, &mask) != 0)
        GTEST_SKIP() << "more CPUs than this test knows";
    ASSERT_EQ(cpus.size(), static_cast<std::size_t>(CPU_COUNT(&mask)));
    for (const int cpu : cpus)
        EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(cpu), &mask)) << cpu;
    std::vector<int> ran(cpus.size(), -1);
    const auto refusal = run_tasks(
        false, static_cast<unsigned>(cpus.size()), "interleave", [&](unsigned task) {
            cpu_set_t own;
            CPU_ZERO(&own);
            ::sched_getaffinity(0, sizeof own, &own);
            if (CPU_COUNT(&own) == 1 && CPU_ISSET(static_cast<std::size_t>(cpus[task]), &own))
                ran[task] = cpus[task];
        });
    EXPECT_EQ(refusal, "");
    EXPECT_EQ(ran, cpus);
}

TEST(LabTasks, ADeadProcessIsReportedAndTheOthersEnded)
{
    const auto text = run_tasks(true, 3, "none", [](unsigned task) {
        if (task == 1)
            ::raise(SIGKILL);
        ::pause();
    });
    EXPECT_NE(text.find("task 1 was killed by signal 9"), std::string::npos) << text;
    const auto ended = run_tasks(true, 2, "none",
                                 [](unsigned task) { ::_exit(task == 0 ? 0 : 3); });
    EXPECT_NE(ended.find("task 1 ended with status 3"), std::string::npos) << ended;
}
