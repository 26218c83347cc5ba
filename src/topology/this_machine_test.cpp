// The real machine, seen by hwloc, by /sys and by the kernel.
#include "base/options.hpp"
#include "topology/machine_checks.hpp"
#include "topology/survey.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <sched.h>
#include <string>

namespace artel::topology {
namespace {

TEST(ThisMachine, IsSeenAsByHwloc)
{
    survey own;
    survey hwlocs;
    if (!survey_one_node({}, own))
        GTEST_SKIP() << "several NUMA nodes, or no /sys";
    ASSERT_TRUE(survey_by_hwloc(hwlocs));
    const auto a = make_machine(own, {});
    const auto b = make_machine(hwlocs, {});
    EXPECT_EQ(a.reason, b.reason);
    ASSERT_EQ(a.cpus.size(), b.cpus.size());
    for (std::size_t i = 0; i < a.cpus.size(); ++i) {
        EXPECT_EQ(a.cpus[i].os_index, b.cpus[i].os_index);
        EXPECT_EQ(a.cpus[i].core, b.cpus[i].core);
        EXPECT_EQ(a.cpus[i].l3, b.cpus[i].l3);
        EXPECT_EQ(a.cpus[i].numa, b.cpus[i].numa);
        EXPECT_EQ(a.cpus[i].package, b.cpus[i].package);
        EXPECT_EQ(a.cpus[i].smt, b.cpus[i].smt);
    }
    EXPECT_EQ(node_memory(own.nodes.front().os_index), hwlocs.nodes.front().memory);
}

TEST(ThisMachine, NeedsNoHwlocWhereThereIsOneNode)
{
    survey own;
    if (!survey_one_node({}, own))
        GTEST_SKIP() << "several NUMA nodes, or no /sys";
    // In a process of its own: other tests here load hwloc.
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            this_machine();
            std::_Exit(dlopen("libhwloc.so.15", RTLD_NOW | RTLD_NOLOAD) == nullptr ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(ThisMachine, AgreesWithTheKernelAndIsCheap)
{
    const auto start = std::chrono::steady_clock::now();
    const auto& m = this_machine();
    const std::chrono::duration<double, std::milli> cost = std::chrono::steady_clock::now() - start;
    RecordProperty("milliseconds", std::to_string(cost.count()));
    check(m);
    EXPECT_EQ(&m, &this_machine());
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    if (base::options().numas.empty()) {
        EXPECT_EQ(m.cpus.size(), static_cast<std::size_t>(CPU_COUNT(&set)));
    }
    for (const auto& it : m.cpus)
        EXPECT_TRUE(CPU_ISSET(it.os_index, &set));
}

}  // namespace
}  // namespace artel::topology
