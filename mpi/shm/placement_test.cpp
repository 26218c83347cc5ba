// Pages on the wrong node. On machines with one NUMA node this tests that none is moved; on those
// with several, that pages are moved (as do `artel mpi check --all` and its test).
#include "shm/identity.hpp"
#include "shm/memory.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

namespace {

using namespace artel;

constexpr std::size_t pages = 40;
constexpr int no_node = 900;

shm::memory made()
{
    const std::size_t bytes = pages * shm::page_size();
    auto m = shm::memory::create(shm::memory::sort::memfd, "", false, bytes);
    m.reserve(0, bytes, shm::own_identity().numa, false);
    return m;
}

bool whole(const shm::memory& m, std::size_t from)
{
    return std::all_of(m.data() + from, m.data() + m.size(),
                       [](std::byte b) { return b == std::byte{0}; });
}

TEST(Placement, WhatLiesRightStays)
{
    auto m = made();
    std::memset(m.data() + shm::page_size(), 7, m.size() - shm::page_size());
    const auto p = m.bring_home(0, m.size(), shm::own_identity().numa, false);
    EXPECT_EQ(p.pages, pages);
    EXPECT_EQ(p.at_home, pages);
    EXPECT_EQ(p.elsewhere, 0U);
    EXPECT_EQ(m.data()[m.size() - 1], std::byte{7}) << "nothing was taken anew";
    EXPECT_EQ(m.bring_home(0, m.size(), -1, false).pages, pages);
}

TEST(Placement, WhatCannotComeHomeIsTold)
{
    auto m = made();
    const std::size_t first = shm::page_size();
    const auto p = m.bring_home(first, m.size() - first, no_node, false);
    EXPECT_EQ(p.pages, pages - 1);
    EXPECT_EQ(p.at_home, 0U);
    EXPECT_EQ(p.elsewhere, pages - 1);
    EXPECT_TRUE(whole(m, first));
    EXPECT_TRUE(std::equal(m.own_ticket().token, m.own_ticket().token + 2,
                           reinterpret_cast<const std::uint64_t*>(m.data())))
        << "the head is not in the range";
    m.settle();
    std::memset(m.data() + first, 7, m.size() - first);
    EXPECT_EQ(m.bring_home(first, m.size() - first, no_node, false).elsewhere, pages - 1);
    EXPECT_EQ(m.data()[first], std::byte{7}) << "taken anew though the file is closed";
}

TEST(Placement, StraysComeHome)
{
    const auto me = shm::own_identity();
    if (me.nodes < 2) {
        GTEST_SKIP() << "one NUMA node";
    }
    const int other = (me.numa + 1) % static_cast<int>(me.nodes);
    auto m = shm::memory::create(shm::memory::sort::memfd, "", false, pages * shm::page_size());
    const std::size_t first = shm::page_size(), bytes = m.size() - first;
    m.reserve(first, bytes, other, false);
    EXPECT_EQ(m.where(first, bytes, me.numa).elsewhere, pages - 1);
    std::memset(m.data() + first, 7, bytes);
    const auto p = m.bring_home(first, bytes, me.numa, false);
    EXPECT_EQ(p.at_home, pages - 1);
    EXPECT_EQ(m.data()[first], std::byte{7}) << "moving keeps what is there";
}

// VmFlags has "rr" while reading ahead is off.
TEST(Placement, RandomIsTakenBack)
{
    const auto m = made();
    const auto flagged = [&m] {
        std::ifstream maps("/proc/self/smaps");
        char begin[32];
        std::snprintf(begin, sizeof begin, "%lx-", reinterpret_cast<unsigned long>(m.data()));
        bool here = false;
        for (std::string line; std::getline(maps, line);) {
            here = here || line.rfind(begin, 0) == 0;
            if (here && line.rfind("VmFlags:", 0) == 0) {
                return line.find(" rr") != std::string::npos;
            }
        }
        ADD_FAILURE() << "the mapping was not found";
        return false;
    };
    EXPECT_FALSE(flagged());
    m.advise_random(true);
    EXPECT_TRUE(flagged());
    m.advise_random(false);
    EXPECT_FALSE(flagged());
}

TEST(Identity, NodesOfTheMachine)
{
    const auto me = shm::own_identity();
    EXPECT_GE(me.nodes, 1U);
    EXPECT_GE(me.nodes_allowed, 1U);
    EXPECT_LE(me.nodes_allowed, me.nodes);
}

}  // namespace
