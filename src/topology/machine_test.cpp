// Machines from 1 to 256 cores by hwloc's synthetic topologies, and restrictions with their
// explanations.
#include "topology/machine_checks.hpp"
#include "topology/survey.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace artel::topology {
namespace {

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

TEST(FormatList, JoinsRanges)
{
    const std::vector<unsigned> list{0, 1, 2, 3, 8, 10, 11};
    EXPECT_EQ(format_list(list), "0-3,8,10-11");
    EXPECT_EQ(format_list(list, 3), "0-3,8,10,11");
    EXPECT_EQ(format_list({}), "");
}

}  // namespace
}  // namespace artel::topology
