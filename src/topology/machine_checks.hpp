// What the tests of this folder share: machines by hwloc's synthetic topologies, and what must hold
// for every machine.
#pragma once

#include "topology/survey.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace artel::topology {

inline machine synthetic(const std::string& description, const restrictions& limits = {})
{
    machine result;
    EXPECT_TRUE(make_synthetic_machine(description.c_str(), limits, result)) << description;
    return result;
}

// What must hold for every machine.
inline void check(const machine& m)
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

}  // namespace artel::topology
