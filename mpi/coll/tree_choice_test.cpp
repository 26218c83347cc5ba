// The trees that the model and stored measurements choose.
#include "coll/tree_choice.hpp"

#include "coll/tree_file.hpp"
#include "shm/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace {

using namespace artel::coll;

// 30 ns for a store into another one's line, 100 ns until it is seen.
model_times machine(unsigned group)
{
    model_times t{1e-10, 100e-9 + (group - 2) * 30e-9, 1e-7, 2e-8};
    t.hop = 100e-9;
    return t;
}

TEST(TreeChoice, Classes)
{
    EXPECT_EQ(tree_table::class_of(0), 0U);
    EXPECT_EQ(tree_table::class_of(8), 0U);
    EXPECT_EQ(tree_table::class_of(9), 1U);
    EXPECT_EQ(tree_table::class_of(16), 1U);
    for (std::size_t c = 0; c < tree_table::classes; ++c) {
        EXPECT_EQ(tree_table::class_of(tree_table::bytes_of(c)), c);
    }
    EXPECT_EQ(tree_table::bytes_of(tree_table::classes - 1), 16U << 20);
    EXPECT_EQ(tree_table::class_of(~std::uint64_t{0}), tree_table::classes - 1);
}

// Computed by hand: four ranks, one item. Flat: the third one is notified after 3 stores, and sees
// it a hop later. Chain: three times a store and a hop.
TEST(TreeChoice, TimesOfOneItem)
{
    const model_times t = machine(4);
    const double copies = 2 * 40 * 1e-10;
    EXPECT_NEAR(tree_time(t, {tree_kind::flat, 1}, {4, 4}, 40, 48), copies + 3 * 30e-9 + 100e-9,
                1e-12);
    EXPECT_NEAR(tree_time(t, {tree_kind::chain, 1}, {4, 4}, 40, 48), copies + 3 * 130e-9, 1e-12);
}

// Eight groups of eight: a store costs as much as among all 64. The last of seven leaders is
// notified before the root's own group, and notifies its group a hop after the root's sees it.
TEST(TreeChoice, OtherGroupsAreToldFirst)
{
    const notified_ranks notified{64, 8, 7};
    const model_times t = machine(64);
    const double copies = 2 * 40 * 1e-10;
    EXPECT_NEAR(tree_time(t, {tree_kind::flat, 1}, notified, 40, 48),
                copies + (7 + 7) * 30e-9 + 2 * 100e-9, 1e-12);
    EXPECT_NEAR(tree_time(t, {tree_kind::chain, 1}, notified, 40, 48),
                copies + 7 * 30e-9 + 100e-9 + 7 * 130e-9, 1e-12);
    // For each further fragment the others wait for the root, which has most children.
    const double one = tree_time(t, {tree_kind::kary, 2}, notified, 8192, 8192);
    const double two = tree_time(t, {tree_kind::kary, 2}, notified, 16384, 8192);
    EXPECT_NEAR(two - one, 8192 * 1e-10 + (7 + 2) * 30e-9, 1e-12);
}

TEST(TreeChoice, NotifiedRanks)
{
    const std::vector<locality> localities{{0, 0}, {0, 0}, {0, 1}, {1, 2}, {1, 3}, {1, 4}};
    const notified_ranks notified = notified_ranks_of(localities);
    EXPECT_EQ(notified.ranks, 6U);
    EXPECT_EQ(notified.group, 2U);
    EXPECT_EQ(notified.leaders, 3U);
    EXPECT_EQ(most_notified_leaders({}), 0U);
    EXPECT_EQ(most_notified_leaders({{0, 0}, {0, 0}}), 0U);
}

// With many fragments only the busiest rank's work for each of them counts.
TEST(TreeChoice, ManyRanksWantATree)
{
    const settings chosen;
    const tree_table few = model_trees(machine(4), {4, 4}, false, chosen);
    EXPECT_TRUE(std::all_of(few.of.begin(), few.of.end(), [](auto t) { return t == 0; }));
    const tree_table many = model_trees(machine(64), {64, 64}, false, chosen);
    EXPECT_NE(many.tree_for(8), 0U);
    EXPECT_NE(many.tree_for(1 << 20), 0U);
    for (std::size_t c = 0; c < tree_table::classes; ++c) {
        const std::uint64_t bytes = tree_table::bytes_of(c);
        const std::uint64_t fragment = bytes <= 96 ? 48 : 8192;
        settings fixed;
        fixed.fragment = fragment;
        const unsigned taken = model_trees(machine(64), {64, 64}, false, fixed).tree_for(bytes);
        for (const tree_form& form : tree_forms) {
            EXPECT_LE(tree_time(machine(64), tree_forms.at(taken), {64, 64}, bytes, fragment),
                      tree_time(machine(64), form, {64, 64}, bytes, fragment) / 0.95 + 1e-12)
                << bytes << words_of(form);
        }
    }
    const tree_table crowded = model_trees(machine(64), {64, 64}, true, chosen);
    EXPECT_EQ(crowded.of, tree_table{}.of);
}

// The table of docs/decisions/0011-trees.md.
TEST(TreeChoice, ManyCores)
{
    if (artel::shm::page_size() != 4096) {
        GTEST_SKIP() << "fragments have whole pages";
    }
    struct row {
        notified_ranks notified;
        const char* trees[5];
    };
    const row rows[] = {
        {{4, 4}, {"flat", "flat", "flat", "flat", "flat"}},
        {{8, 8}, {"knomial 3", "flat", "flat", "flat", "flat"}},
        {{16, 16}, {"kary 4", "kary 4", "kary 2", "flat", "flat"}},
        {{32, 32}, {"kary 4", "kary 4", "kary 3", "kary 2", "chain"}},
        {{64, 64}, {"knomial 4", "knomial 4", "kary 4", "kary 2", "kary 2"}},
        {{128, 128}, {"knomial 4", "knomial 4", "kary 3", "kary 3", "kary 2"}},
        {{64, 8, 7}, {"flat", "flat", "flat", "flat", "flat"}},
        {{128, 16, 7}, {"kary 4", "kary 4", "flat", "flat", "flat"}},
    };
    constexpr std::uint64_t sizes[] = {8, 4096, 65536, 1 << 20, 16 << 20};
    for (const row& r : rows) {
        const tree_table table = model_trees(machine(r.notified.ranks), r.notified, false,
                                             settings{});
        for (std::size_t i = 0; i < std::size(sizes); ++i) {
            EXPECT_EQ(words_of(tree_forms.at(table.tree_for(sizes[i]))), r.trees[i])
                << r.notified.ranks << " in groups of " << r.notified.group << ", " << sizes[i];
        }
    }
}

TEST(TreeChoice, NearestMeasurementsCount)
{
    const std::vector<tree_row> rows{{4, false, 8, 1}, {4, false, 65536, 2}, {16, false, 8, 3},
                                     {16, true, 8, 4}, {2, true, 8, 0},      {2, true, 1024, 5}};
    tree_table t;
    ASSERT_TRUE(measured_trees(rows, 5, false, t));
    EXPECT_TRUE(t.measured);
    EXPECT_EQ(t.tree_for(8), 1U);
    EXPECT_EQ(t.tree_for(512), 1U);
    EXPECT_EQ(t.tree_for(4096), 2U);
    EXPECT_EQ(t.tree_for(16 << 20), 2U);
    ASSERT_TRUE(measured_trees(rows, 12, false, t));
    EXPECT_EQ(t.tree_for(1 << 20), 3U);
    ASSERT_TRUE(measured_trees(rows, 3, true, t));
    EXPECT_EQ(t.tree_for(1 << 20), 5U);
    EXPECT_FALSE(measured_trees(std::vector<tree_row>{{4, false, 8, 1}}, 4, true, t));
    EXPECT_FALSE(measured_trees({}, 4, false, t));
}

TEST(TreeChoice, Words)
{
    tree_table t;
    EXPECT_EQ(words_of(t), "flat");
    std::fill(t.of.begin() + 2, t.of.end(), std::uint8_t{4});
    t.measured = true;
    EXPECT_EQ(words_of(t), "flat up to 16 bytes, then kary 4, as measured");
}

TEST(TreeFile, ReadsWhatItWrites)
{
    std::vector<tree_row> rows;
    for (unsigned tree = 0; tree < tree_forms.size(); ++tree) {
        rows.push_back({2 + tree, tree % 2 == 0, std::uint64_t{8} << tree, tree});
    }
    const tree_file back = parse_tree_file(text_of(rows, "this one"), "this one");
    EXPECT_EQ(back.problem, "");
    ASSERT_EQ(back.rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(back.rows[i].group, rows[i].group);
        EXPECT_EQ(back.rows[i].crowded, rows[i].crowded);
        EXPECT_EQ(back.rows[i].bytes, rows[i].bytes);
        EXPECT_EQ(back.rows[i].tree, rows[i].tree);
    }
}

TEST(TreeFile, WhatMakesNoSenseIsNotUsed)
{
    const std::string head = "artel mpi trees 1\nmachine this one\n";
    const std::string good = "group 4 roomy bytes 8 tree kary 3\n";
    EXPECT_EQ(parse_tree_file(head + good, "this one").rows.size(), 1U);
    EXPECT_EQ(parse_tree_file(head + good, "another").rows.size(), 0U);
    EXPECT_NE(parse_tree_file(head + good, "another").problem, "");
    EXPECT_NE(parse_tree_file("artel mpi trees 2\nmachine this one\n" + good, "this one").problem,
              "");
    EXPECT_NE(parse_tree_file("", "this one").problem, "");
    for (const char* bad :
         {"group 4 roomy bytes 8 tree kary 77\n", "group 4 roomy bytes 8 tree oak\n",
          "group 1 roomy bytes 8 tree flat\n", "group 4 loud bytes 8 tree flat\n",
          "group 4 roomy bytes 0 tree flat\n", "group 4 roomy bytes 8 tree kary 3x\n",
          "group 4 roomy bytes 8 tree kary 3 4\n", "group 4 roomy bytes 8 tree auto\n",
          "group -4 roomy bytes 8 tree flat\n", "\n", "group 4\n"}) {
        const tree_file file = parse_tree_file(head + good + bad, "this one");
        EXPECT_NE(file.problem, "") << bad;
        EXPECT_TRUE(file.rows.empty()) << bad;
    }
}

TEST(TreeFile, LiesInTheCacheFolder)
{
    const char* const before = std::getenv("XDG_CACHE_HOME");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
    const std::string path = tree_file_path("this one");
    EXPECT_EQ(path.rfind("/somewhere/artel/mpi-trees-", 0), 0U) << path;
    EXPECT_NE(path, tree_file_path("another"));
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_NE(tree_file_path("this one").rfind("relative", 0), 0U);
    before == nullptr ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", kept.c_str(), 1);
    EXPECT_NE(this_machine_in_words().find(" CPUs, "), std::string::npos);
}

}  // namespace
