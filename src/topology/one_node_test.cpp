// Machines with one NUMA node, read from a made-up /sys, are seen as by hwloc.
#include "topology/machine_checks.hpp"
#include "topology/survey.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace artel::topology {
namespace {

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

}  // namespace
}  // namespace artel::topology
