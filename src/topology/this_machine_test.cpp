// The real machine, seen by hwloc, by /sys and by the kernel.
#include "base/options.hpp"
#include "topology/machine_checks.hpp"
#include "topology/survey.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <sched.h>
#include <string>
#include <unistd.h>

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

// Processors exist of which some cores have no L3. The cores of hwloc's synthetic machines are all
// alike, so this one is in a file, which hwloc is told to take for the real machine.
TEST(ThisMachine, CpusWithoutAnL3AreNoPartOfOne)
{
    const auto sets = [](const char* cpus) {
        return fmt::format(
            "cpuset=\"{0}\" complete_cpuset=\"{0}\" nodeset=\"0x1\" "
            "complete_nodeset=\"0x1\"",
            cpus);
    };
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
        "<topology version=\"2.0\">\n";
    text += fmt::format(
        "<object type=\"Machine\" os_index=\"0\" {} allowed_cpuset=\"0xf\" "
        "allowed_nodeset=\"0x1\" gp_index=\"1\">\n",
        sets("0xf"));
    text += fmt::format(
        "<object type=\"NUMANode\" os_index=\"0\" {} gp_index=\"2\" local_memory=\"1048576\"/>\n",
        sets("0xf"));
    text += fmt::format(
        "<object type=\"L3Cache\" {} gp_index=\"3\" cache_size=\"1048576\" depth=\"3\" "
        "cache_linesize=\"64\" cache_associativity=\"8\" cache_type=\"0\">\n",
        sets("0x3"));
    for (unsigned i = 0; i < 4; ++i) {
        const auto own = fmt::format("0x{:x}", 1u << i);
        text += fmt::format(
            "<object type=\"Core\" os_index=\"{0}\" {1} gp_index=\"{2}\">\n"
            "<object type=\"PU\" os_index=\"{0}\" {1} gp_index=\"{3}\"/>\n</object>\n",
            i, sets(own.c_str()), 10 + i, 20 + i);
        text += i == 1 ? "</object>\n" : "";  // of the L3
    }
    text += "</object>\n</topology>\n";
    char name[] = "/tmp/artel-topology-XXXXXX";
    const int file = mkstemp(name);
    ASSERT_GE(file, 0);
    ASSERT_EQ(write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(file);
    setenv("HWLOC_XMLFILE", name, 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    survey found;
    const bool taken = survey_by_hwloc(found);
    unsetenv("HWLOC_XMLFILE");
    unsetenv("HWLOC_THISSYSTEM");
    unlink(name);
    ASSERT_TRUE(taken);
    const auto m = make_machine(found, {});
    check(m);
    ASSERT_EQ(m.cpus.size(), 4u);
    EXPECT_EQ(m.l3s, 2u);
    EXPECT_EQ(m.cpus[0].l3, m.cpus[1].l3);
    EXPECT_NE(m.cpus[1].l3, m.cpus[2].l3);
    EXPECT_EQ(m.cpus[2].l3, m.cpus[3].l3);
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
