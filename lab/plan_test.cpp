// Which cells are measured, in which order, and that each is measured once.
#include "lab/plan.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace artel::lab;

namespace {

plan_options small()
{
    plan_options o;
    o.workloads = {"alloc", "rows"};
    o.tasks = {4, 1, 4};
    o.repeats = 2;
    o.allocators = false;
    return completed(o);
}

}  // namespace

TEST(LabPlan, ScalesFillInWhatIsLeftOpen)
{
    plan_options o;
    o.how_much = scale::paper;
    o.matrix_size = 100;
    const auto done = completed(o);
    EXPECT_EQ(done.alloc_size, 1u << 24);
    EXPECT_EQ(done.exchange_size, 1u << 18);
    EXPECT_EQ(done.width, 1u << 10);
    EXPECT_EQ(done.matrix_size, 100u);
    EXPECT_EQ(done.tasks, (std::vector<unsigned>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}));
    EXPECT_GE(completed(plan_options()).repeats, 3u);  // spread needs repeats
}

TEST(LabPlan, RepeatsAreOutermostAndVariantsBesideEachOther)
{
    const auto plan = make_plan(small());
    // alloc has T, P, T-N, P-N; rows all seven
    ASSERT_EQ(plan.size(), 2u * 2 * (4 + 7));
    for (std::size_t i = 0; i < plan.size(); ++i)
        EXPECT_EQ(plan[i].repeat, i < plan.size() / 2 ? 0u : 1u);
    EXPECT_EQ(plan[0].variant, "T");
    EXPECT_EQ(plan[1].variant, "P");
    EXPECT_EQ(plan[0].tasks, 1u);
    EXPECT_EQ(plan[4].workload, "rows");
    EXPECT_EQ(plan[4].tasks, 1u);
    EXPECT_EQ(plan[11].workload, "alloc");
    EXPECT_EQ(plan[11].tasks, 4u);
}

TEST(LabPlan, NoCellTwice)
{
    plan_options o;
    o.repeats = 2;
    std::set<std::string> keys;
    const auto plan = make_plan(completed(o));
    for (const auto& c : plan)
        EXPECT_TRUE(keys.insert(c.key()).second) << c.key();
    // Arenas mean nothing to processes, allocators nothing to other workloads.
    for (const auto& c : plan) {
        EXPECT_TRUE(c.allocator == "glibc" || c.workload == "alloc");
        EXPECT_FALSE(c.variant == "P" && c.allocator.find("arena") != std::string::npos);
    }
    for (const char* allocator : {"glibc-1-arena", "glibc-arena-per-task", "glibc-huge", "jemalloc",
                                  "mimalloc", "tcmalloc"})
        EXPECT_TRUE(std::any_of(plan.begin(), plan.end(), [&](const cell& c) {
            return c.allocator == allocator;
        })) << allocator;
}

TEST(LabPlan, WorkloadsWithoutAnyOfTheVariantsAreNamed)
{
    plan_options o;
    EXPECT_TRUE(left_out(o).empty());
    o.variant_names = {"T-M", "HP.P"};
    EXPECT_EQ(left_out(o), (std::vector<std::string>{"alloc", "exchanges"}));
    o.variant_names = {"T-M", "P"};
    EXPECT_TRUE(left_out(o).empty());
}

TEST(LabPlan, WhatIsNamedTwiceIsMeasuredOnce)
{
    auto o = small();
    const auto once = make_plan(o);
    o.workloads = {"alloc", "rows", "alloc", "rows"};
    const auto twice = make_plan(completed(o));
    ASSERT_EQ(twice.size(), once.size());
    for (std::size_t i = 0; i < once.size(); ++i)
        EXPECT_EQ(twice[i].key(), once[i].key());
    o.variant_names = {"T", "P", "T"};
    EXPECT_EQ(completed(o).variant_names, (std::vector<std::string>{"T", "P"}));
}

TEST(LabPlan, HugePagesForThreeMatrices)
{
    cell c;
    c.workload = "rows";
    c.variant = "HP.P";
    c.size = 512;  // 2 MiB a matrix
    EXPECT_EQ(huge_pages_needed(c), 3u);
    c.size = 513;
    EXPECT_EQ(huge_pages_needed(c), 6u);
    c.workload = "tiles";
    c.size = 1;  // one tile
    EXPECT_EQ(huge_pages_needed(c), 3u);
    c.variant = "P";
    EXPECT_EQ(huge_pages_needed(c), 0u);
}

TEST(LabCell, TravelsAsJson)
{
    cell c;
    c.workload = "exchanges";
    c.variant = "P-N";
    c.allocator = "mimalloc";
    c.affinity = "group";
    c.tasks = 7;
    c.size = 1u << 20;
    c.width = 9;
    c.repeat = 2;
    c.trace = 3;
    c.full_check = true;
    c.tmpfs = "/tmp";
    const auto back = json::parse(json(c).dump()).get<cell>();
    EXPECT_EQ(back.key(), c.key());
    EXPECT_EQ(json(back), json(c));
    cell other = c;
    other.full_check = false;  // was checked less, so it is not valid for the other
    EXPECT_NE(other.key(), c.key());
    other = c;
    other.repeat = 3;
    EXPECT_NE(other.key(), c.key());
}

TEST(LabCell, NonsenseIsAFailureWithAReason)
{
    cell c;
    c.workload = "quicksort";
    c.variant = "T";
    EXPECT_EQ(run_cell(c).at("status"), "fail");
    c.workload = "alloc";
    c.variant = "Q";
    EXPECT_NE(run_cell(c).at("reason").get<std::string>().find("no variant 'Q'"),
              std::string::npos);
    EXPECT_THROW(variant_named(""), std::invalid_argument);
}
