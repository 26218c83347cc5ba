// Machines from 1 to 256 cores by hwloc's synthetic topologies, restrictions and their
// explanations, and the real machine.
#include "base/options.hpp"
#include "topology/survey.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sched.h>
#include <set>

namespace artel::topology {
namespace {

machine synthetic(const std::string& description, const restrictions& limits = {})
{
    machine result;
    EXPECT_TRUE(make_synthetic_machine(description.c_str(), limits, result)) << description;
    return result;
}

// What must hold for every machine.
void check(const machine& m)
{
    ASSERT_FALSE(m.cpus.empty());
    EXPECT_GE(m.effective_cpus, 1u);
    EXPECT_LE(m.effective_cpus, m.cpus.size());
    EXPECT_GE(m.online_cpus, m.cpus.size());
    EXPECT_FALSE(m.reason.empty());
    std::set<unsigned> os_indices, cores, l3s;
    std::set<std::pair<unsigned, unsigned>> core_and_thread;
    for (const auto& it : m.cpus) {
        os_indices.insert(it.os_index);
        cores.insert(it.core);
        l3s.insert(it.l3);
        core_and_thread.insert({it.core, it.smt});
    }
    EXPECT_EQ(os_indices.size(), m.cpus.size());
    EXPECT_EQ(core_and_thread.size(), m.cpus.size());
    EXPECT_EQ(cores.size(), m.cores);
    EXPECT_EQ(*cores.rbegin() + 1, m.cores);  // dense
    EXPECT_EQ(l3s.size(), m.l3s);
    EXPECT_EQ(*l3s.rbegin() + 1, m.l3s);
    for (std::size_t i = 1; i < m.cpus.size(); ++i) {
        const auto& a = m.cpus[i - 1];
        const auto& b = m.cpus[i];
        EXPECT_LE(a.smt, b.smt);  // SMT siblings last
        if (a.smt == b.smt) {
            EXPECT_LE(a.numa, b.numa);
            EXPECT_LE(a.l3, b.l3);
            EXPECT_LT(a.core, b.core);
        }
    }
    unsigned on_nodes = 0;
    for (const auto& node : m.nodes)
        on_nodes += node.cpus;
    EXPECT_EQ(on_nodes, m.cpus.size());
}

struct shape {
    const char* description;
    unsigned cpus, cores, l3s, nodes;
};

class Shapes : public testing::TestWithParam<shape> {};

TEST_P(Shapes, AreUnderstood)
{
    const auto& expected = GetParam();
    const auto m = synthetic(expected.description);
    check(m);
    EXPECT_EQ(m.cpus.size(), expected.cpus);
    EXPECT_EQ(m.effective_cpus, expected.cpus);
    EXPECT_EQ(m.cores, expected.cores);
    EXPECT_EQ(m.l3s, expected.l3s);
    EXPECT_EQ(m.nodes.size(), expected.nodes);
}

INSTANTIATE_TEST_SUITE_P(Synthetic, Shapes,
                         testing::Values(shape{"core:1 pu:1", 1, 1, 1, 1},
                                         shape{"core:2 pu:1", 2, 2, 1, 1},
                                         shape{"core:1 pu:2", 2, 1, 1, 1},
                                         shape{"l3:1 core:6 pu:2", 12, 6, 1, 1},
                                         shape{"numa:2 l3:1 core:8 pu:2", 32, 16, 2, 2},
                                         shape{"numa:4 core:2 pu:1", 8, 8, 4, 4},
                                         shape{"pack:2 numa:4 l3:2 core:8 pu:2", 256, 128, 16, 8},
                                         shape{"pack:2 numa:4 l3:4 core:8 pu:1", 256, 256, 32, 8},
                                         shape{"numa:1 l3:8 core:4 pu:1", 32, 32, 8, 1},
                                         shape{"numa:1 core:64 pu:4", 256, 64, 1, 1},
                                         shape{"l3:1 numa:2 core:4 pu:1", 8, 8, 2, 2},
                                         shape{"numa:8 l3:4 core:8 pu:4", 1024, 256, 32, 8}));

TEST(Synthetic, EveryWidthUpTo256CoresIsAPermutation)
{
    for (unsigned cores = 1; cores <= 256; cores += cores < 16 ? 1 : 15) {
        const auto m = synthetic("core:" + std::to_string(cores) + " pu:2");
        check(m);
        EXPECT_EQ(m.cores, cores);
        for (unsigned i = 0; i < cores; ++i)
            EXPECT_EQ(m.cpus[i].smt, 0u);  // the first `cores` places are cores of their own
    }
}

TEST(Synthetic, InterleavedNumberingDoesNotSplitCores)
{
    // As many servers number: 0-3 are the first threads of the cores, 4-7 the second ones.
    const auto m = synthetic("core:4 pu:2(indexes=core:pu)");
    check(m);
    EXPECT_EQ(m.cores, 4u);
    std::vector<unsigned> os_indices;
    for (const auto& it : m.cpus)
        os_indices.push_back(it.os_index);
    std::sort(os_indices.begin(), os_indices.end());
    EXPECT_EQ(format_list(os_indices), "0-7");
}

TEST(Synthetic, MemoryOnlyNodesHoldNoCpus)
{
    // One node for the whole machine (CXL, say) besides one for each package.
    const auto m = synthetic(
        "[NUMANode(memory=8GB)] Package:2 [NUMANode(memory=1GB)] L3Cache:1 Core:4 PU:1");
    check(m);
    ASSERT_EQ(m.nodes.size(), 3u);
    EXPECT_EQ(std::count_if(m.nodes.begin(), m.nodes.end(),
                            [](const numa_node& n) { return n.memory_only; }),
              1);
    for (const auto& node : m.nodes) {
        EXPECT_EQ(node.cpus, node.memory_only ? 0u : 4u);
        EXPECT_GT(node.memory, node.memory_only ? 7'000'000'000u : 900'000'000u);
    }
}

TEST(Synthetic, MemoryOnlyNodeCannotBeChosenByNumas)
{
    const auto all = synthetic("[NUMANode] Package:2 [NUMANode] Core:4 PU:1");
    const auto lonely = std::find_if(all.nodes.begin(), all.nodes.end(),
                                     [](const auto& n) { return n.memory_only; });
    ASSERT_NE(lonely, all.nodes.end());
    const auto m = synthetic("[NUMANode] Package:2 [NUMANode] Core:4 PU:1",
                             {{}, {lonely->os_index}, {}});
    EXPECT_EQ(m.cpus.size(), 8u);
    EXPECT_NE(m.reason.find("is ignored because no usable CPU is there"), std::string::npos)
        << m.reason;
}

TEST(Restrictions, AffinityMaskSelectsCpus)
{
    const auto m = synthetic("numa:2 core:4 pu:1", {{1, 2, 3, 6}, {}, {}});
    check(m);
    EXPECT_EQ(m.cpus.size(), 4u);
    EXPECT_EQ(m.nodes[0].cpus, 3u);
    EXPECT_EQ(m.nodes[1].cpus, 1u);
    EXPECT_EQ(m.reason, "4 of 8 CPUs: the inherited affinity mask has CPUs 1-3,6");
}

TEST(Restrictions, NumasSelectNodes)
{
    const auto m = synthetic("numa:4 core:2 pu:1", {{}, {1, 3, 9}, {}});
    check(m);
    EXPECT_EQ(m.reason, "4 of 8 CPUs: ARTEL_NUMAS=1,3,9 leaves 4 CPUs");
    for (const auto& it : m.cpus)
        EXPECT_TRUE(it.numa == 1 || it.numa == 3);
}

TEST(Restrictions, NumasThatCannotBeUsedAreNamed)
{
    const auto unusable = [](const std::string& description, const restrictions& limits) {
        return synthetic(description, limits).numas_unusable;
    };
    EXPECT_EQ(unusable("numa:4 core:2 pu:1", {{}, {1, 3}, {}}), "");
    EXPECT_EQ(unusable("numa:4 core:2 pu:1", {}), "");
    EXPECT_EQ(unusable("numa:4 core:2 pu:1", {{}, {1, 9}, {}}),
              "NUMA node 9 does not exist, there are nodes 0-3");
    EXPECT_EQ(unusable("numa:1 core:2 pu:1", {{}, {7}, {}}),
              "NUMA node 7 does not exist, there is only node 0");
    EXPECT_EQ(
        unusable("numa:4 core:2 pu:1", {{0, 1, 2}, {0, 2, 3, 7, 8}, {}}),
        "NUMA nodes 7-8 do not exist, there are nodes 0-3; NUMA nodes 2-3 have no CPU that the "
        "process may use");
    EXPECT_EQ(unusable("[NUMANode] Package:2 [NUMANode] Core:4 PU:1", {{}, {0, 1, 2}, {}}),
              "NUMA node 2 has no CPU that the process may use");
}

TEST(Restrictions, QuotaRoundsUpAndIsExplained)
{
    cpu_quota quota{1.5, 1, 150000, 100000, "/a/b"};
    const auto m = synthetic("core:8 pu:1", {{}, {}, quota});
    check(m);
    EXPECT_EQ(m.cpus.size(), 8u);
    EXPECT_EQ(m.effective_cpus, 2u);
    EXPECT_EQ(m.reason,
              "2 of 8 CPUs: cgroup v1 quota 150000/100000 us at /a/b allows 1.5, rounded up");
    quota = {20, 2, 2000000, 100000, "/"};
    EXPECT_EQ(synthetic("core:8 pu:1", {{}, {}, quota}).effective_cpus, 8u);
}

TEST(Restrictions, AllCausesAreNamed)
{
    const cpu_quota quota{2, 2, 200000, 100000, "/job"};
    const auto m = synthetic("numa:2 core:4 pu:1", {{0, 1, 2, 4, 5}, {0}, quota});
    EXPECT_EQ(
        m.reason,
        "2 of 8 CPUs: the inherited affinity mask has CPUs 0-2,4-5; ARTEL_NUMAS=0 leaves 3 CPUs; "
        "cgroup v2 quota 200000/100000 us at /job allows 2");
}

TEST(Restrictions, WithoutASurveyTheMaskIsAllThereIs)
{
    const auto m = make_machine(survey{}, {{0, 2, 5}, {}, {}});
    check(m);
    EXPECT_EQ(m.cpus.size(), 3u);
    EXPECT_EQ(m.cores, 3u);
    EXPECT_EQ(m.reason, "3 of 3 CPUs: nothing restricts the process");
    check(make_machine(survey{}, {}));
}

TEST(Restrictions, AMissingHwlocIsNamed)
{
    survey failed;
    failed.failure = "no hwloc";
    const auto m = make_machine(failed, {{0, 1}, {}, {}});
    check(m);
    EXPECT_EQ(m.survey_failed, "no hwloc");
    EXPECT_EQ(m.reason, "2 of 2 CPUs: no hwloc");
    EXPECT_EQ(make_machine(survey{}, {}).survey_failed, "");
}

TEST(Restrictions, CpusThatTheSurveyDoesNotKnowAppear)
{
    const auto m = synthetic("core:2 pu:1", {{0, 1, 7}, {}, {}});
    check(m);
    EXPECT_EQ(m.cpus.size(), 3u);
}

TEST(Synthetic, RejectsNonsense)
{
    machine m;
    EXPECT_FALSE(make_synthetic_machine("nonsense", {}, m));
    EXPECT_FALSE(make_synthetic_machine("", {}, m));
}

// A made-up /sys.
class OneNode : public testing::Test {
protected:
    void SetUp() override
    {
        char name[] = "/tmp/artel-topology-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        root = name;
    }
    void TearDown() override { std::filesystem::remove_all(root); }

    void write(const std::string& name, const std::string& text) const
    {
        const auto path = root + "/sys/devices/system/" + name;
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        std::ofstream(path) << text << '\n';
    }

    // The first so many CPUs in packages, L3 groups and cores of so many CPUs each that are
    // numbered one after the other.
    void write_cpus(unsigned count, unsigned package, unsigned l3, unsigned core) const
    {
        const auto around = [](unsigned cpu, unsigned size) {
            const unsigned first = cpu / size * size;
            return size == 1 ? std::to_string(first)
                             : std::to_string(first) + "-" + std::to_string(first + size - 1);
        };
        write("node/online", "0");
        write("cpu/online", "0-" + std::to_string(count - 1));
        write("cpu/smt/active", core == 1 ? "0" : "1");
        for (unsigned i = 0; i < count; ++i) {
            const auto folder = "cpu/cpu" + std::to_string(i) + "/";
            write(folder + "topology/package_cpus_list", around(i, package));
            write(folder + "topology/core_cpus_list", around(i, core));
            write(folder + "cache/index3/level", "3");
            write(folder + "cache/index3/shared_cpu_list", around(i, l3));
        }
    }

    machine read(const restrictions& limits = {}) const
    {
        survey found;
        EXPECT_TRUE(survey_one_node(limits.affinity, found, root));
        return make_machine(found, limits);
    }

    // What somebody sees of a machine.
    static std::string shape_of(const machine& m)
    {
        std::string text = m.reason + ";";
        for (const auto& it : m.cpus)
            text += fmt::format(" {}:{},{},{},{},{}", it.os_index, it.core, it.l3, it.numa,
                                it.package, it.smt);
        for (const auto& it : m.nodes)
            text += fmt::format(" node {}:{}{}", it.os_index, it.cpus, it.memory_only ? "m" : "");
        return text;
    }

    std::string root;
};

TEST_F(OneNode, IsSeenAsByHwloc)
{
    write_cpus(16, 8, 4, 2);
    for (const auto& affinity :
         {std::vector<unsigned>{}, {0, 1, 2, 3}, {1, 6, 7, 9, 15}, {14}, {3, 40}}) {
        const restrictions limits{affinity, {}, {}};
        const auto m = read(limits);
        check(m);
        EXPECT_EQ(shape_of(m), shape_of(synthetic("pack:2 l3:2 core:2 pu:2", limits)));
    }
    EXPECT_EQ(shape_of(read({{}, {1}, {}})),
              shape_of(synthetic("pack:2 l3:2 core:2 pu:2", {{}, {1}, {}})));
}

TEST_F(OneNode, WithoutSmtNoCoreIsAskedFor)
{
    write_cpus(8, 8, 8, 1);
    for (unsigned i = 0; i < 8; ++i)
        write("cpu/cpu" + std::to_string(i) + "/topology/core_cpus_list", "nonsense");
    EXPECT_EQ(shape_of(read()), shape_of(synthetic("l3:1 core:8 pu:1")));
}

TEST_F(OneNode, PackagesMayTakeTurnsInNumbering)
{
    write_cpus(8, 8, 8, 1);
    for (unsigned i = 0; i < 8; ++i) {
        const auto folder = "cpu/cpu" + std::to_string(i) + "/";
        write(folder + "topology/package_cpus_list", i % 2 == 0 ? "0,2,4,6" : "1,3,5,7");
        const auto first = i % 2 + i / 4 * 4;
        write(folder + "cache/index3/shared_cpu_list", fmt::format("{},{}", first, first + 2));
    }
    const auto m = read();
    check(m);
    std::vector<unsigned> order;
    for (const auto& it : m.cpus)
        order.push_back(it.os_index);
    EXPECT_EQ(order, (std::vector<unsigned>{0, 2, 4, 6, 1, 3, 5, 7}));
    EXPECT_EQ(m.l3s, 4u);
}

TEST_F(OneNode, AKernelWithoutCachesOrNewNamesWillDo)
{
    write("node/online", "0");
    write("cpu/online", "0-1,4-5");
    for (const unsigned i : {0, 1, 4, 5}) {
        const auto folder = "cpu/cpu" + std::to_string(i) + "/topology/";
        write(folder + "core_siblings_list", "0-1,4-5");
        write(folder + "thread_siblings_list", i < 2 ? "0-1" : "4-5");
    }
    const auto m = read();
    check(m);
    EXPECT_EQ(m.cores, 2u);
    EXPECT_EQ(m.l3s, 1u);
    EXPECT_EQ(m.online_cpus, 4u);
}

TEST_F(OneNode, OthersAreLeftToHwloc)
{
    survey found;
    EXPECT_FALSE(survey_one_node({}, found, root));  // nothing there
    write_cpus(4, 4, 4, 1);
    EXPECT_TRUE(survey_one_node({}, found, root));
    EXPECT_FALSE(has_several_nodes(root));
    for (const char* nodes : {"0-1", "0,2", "", "x", "1-0", "0-"}) {
        write("node/online", nodes);
        EXPECT_FALSE(survey_one_node({}, found, root)) << nodes;
        EXPECT_EQ(has_several_nodes(root),
                  nodes == std::string("0-1") || nodes == std::string("0,2"));
    }
    write("node/online", "0");
    write("cpu/cpu0/cache/index3/level", "4");
    EXPECT_FALSE(survey_one_node({}, found, root));
    write("cpu/cpu0/cache/index3/level", "3");
    write("cpu/cpu0/topology/package_cpus_list", "?");
    EXPECT_FALSE(survey_one_node({}, found, root));
}

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

TEST(FormatList, JoinsRanges)
{
    const std::vector<unsigned> list{0, 1, 2, 3, 8, 10, 11};
    EXPECT_EQ(format_list(list), "0-3,8,10-11");
    EXPECT_EQ(format_list(list, 3), "0-3,8,10,11");
    EXPECT_EQ(format_list({}), "");
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
