// Trees of all kinds, sizes and places of ranks: each rank is reached once from every root, and
// grouped trees cross between NUMA nodes once. A rank that is not reached would wait for ever, and
// two parents would write into one ring.
#include "coll/tree.hpp"

#include "coll/tree_choice.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace artel::coll;

std::vector<locality> localities_of(unsigned size, int nodes, int caches)
{
    std::vector<locality> localities;
    for (unsigned r = 0; r < size; ++r) {
        const int group = static_cast<int>(r) * nodes * caches / static_cast<int>(size);
        localities.push_back({group / caches, group});
    }
    return localities;
}

// Every rank but the root has exactly one parent, and is reached from the root.
void expect_all_reached(const std::vector<tree>& parts, const std::string& what)
{
    const auto size = static_cast<unsigned>(parts.size());
    for (unsigned root = 0; root < size; ++root) {
        std::multiset<unsigned> told{root};
        std::vector<unsigned> reached{root};
        for (std::size_t i = 0; i < reached.size() && reached.size() <= size; ++i) {
            for (const unsigned child : parts[reached[i]].children(root)) {
                ASSERT_LT(child, size);
                reached.push_back(child);
                told.insert(child);
            }
        }
        ASSERT_EQ(reached.size(), size) << what << " root " << root;
        for (unsigned r = 0; r < size; ++r) {
            ASSERT_EQ(told.count(r), 1U) << what << " root " << root << " rank " << r;
        }
    }
}

void expect_spanning(tree_kind kind, unsigned k, unsigned size,
                     const std::vector<locality>& localities)
{
    std::vector<tree> parts;
    for (unsigned r = 0; r < size; ++r) {
        parts.emplace_back(kind, k, r, size, localities);
    }
    expect_all_reached(parts, name_of(kind) + std::string(" ") + std::to_string(k));
}

TEST(Tree, SpansAllRanksFromEveryRoot)
{
    for (unsigned size = 1; size <= 33; ++size) {
        for (const tree_kind kind :
             {tree_kind::flat, tree_kind::chain, tree_kind::kary, tree_kind::knomial}) {
            for (unsigned k = 1; k <= 5; ++k) {
                expect_spanning(kind, k, size, {});
            }
        }
        for (int nodes = 1; nodes <= 4; ++nodes) {
            expect_spanning(tree_kind::hierarchical, 0, size, localities_of(size, nodes, 2));
        }
    }
}

TEST(Tree, KnownShapes)
{
    EXPECT_EQ(tree(tree_kind::knomial, 2, 0, 8).children(0), (std::vector<unsigned>{4, 2, 1}));
    EXPECT_EQ(tree(tree_kind::knomial, 2, 6, 8).children(0), (std::vector<unsigned>{7}));
    EXPECT_EQ(tree(tree_kind::knomial, 3, 0, 9).children(0), (std::vector<unsigned>{3, 6, 1, 2}));
    EXPECT_EQ(tree(tree_kind::kary, 2, 1, 7).children(0), (std::vector<unsigned>{3, 4}));
    EXPECT_EQ(tree(tree_kind::chain, 0, 3, 4).children(0), std::vector<unsigned>{});
    EXPECT_EQ(tree(tree_kind::chain, 0, 3, 4).children(2), (std::vector<unsigned>{0}));
    EXPECT_EQ(tree(tree_kind::flat, 0, 2, 4).children(2).size(), 3U);
}

TEST(Tree, HierarchyCrossesNodesOnce)
{
    const std::vector<locality> localities = localities_of(16, 2, 2);
    unsigned crossings = 0;
    for (unsigned r = 0; r < 16; ++r) {
        for (const unsigned child :
             tree(tree_kind::hierarchical, 0, r, 16, localities).children(5)) {
            crossings += localities[r].numa != localities[child].numa ? 1 : 0;
        }
    }
    EXPECT_EQ(crossings, 1U);
}

// Inside a cache group any shape, with the group's leader at its top.
TEST(Tree, GroupsHaveAnyShapeInside)
{
    for (unsigned size = 1; size <= 24; ++size) {
        for (int nodes = 1; nodes <= 3; ++nodes) {
            const std::vector<locality> localities = localities_of(size, nodes, 2);
            for (const tree_form& form : tree_forms) {
                std::vector<tree> parts;
                for (unsigned r = 0; r < size; ++r) {
                    const auto near = std::make_shared<const neighbours>(r, localities);
                    parts.emplace_back(near, tree_shape(form.kind, form.k,
                                                        static_cast<unsigned>(near->group_size())));
                }
                expect_all_reached(parts, words_of(form));
            }
        }
    }
    // Six ranks of a cache; the root is none of them.
    const std::vector<locality> localities{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 1}};
    const auto first = std::make_shared<const neighbours>(0, localities);
    EXPECT_EQ(tree(first, tree_shape(tree_kind::chain, 1, 6)).children(6),
              std::vector<unsigned>{1});
    EXPECT_EQ(tree(first, tree_shape(tree_kind::kary, 2, 6)).children(6),
              (std::vector<unsigned>{1, 2}));
    EXPECT_EQ(tree(first, tree_shape(tree_kind::kary, 2, 6)).children(0),
              (std::vector<unsigned>{6, 1, 2}));
    EXPECT_EQ(tree(first, tree_shape(tree_kind::kary, 2, 6)).children(5),
              (std::vector<unsigned>{2, 3}));
}

// Ranks are dealt round the nodes and caches, so that no group is a range of ranks.
TEST(Tree, SeatsInAnyOrder)
{
    for (unsigned size = 1; size <= 17; ++size) {
        std::vector<locality> localities;
        for (unsigned r = 0; r < size; ++r) {
            localities.push_back({static_cast<int>(r * 7 % 3), static_cast<int>(r * 5 % 4)});
        }
        expect_spanning(tree_kind::hierarchical, 0, size, localities);
    }
}

TEST(Tree, LargestGroup)
{
    EXPECT_EQ(largest_group({}), 0U);
    EXPECT_EQ(largest_group({{0, 0}}), 1U);
    EXPECT_EQ(largest_group({{0, 0}, {1, 0}, {0, 0}, {0, 1}, {1, 0}, {1, 0}}), 3U);
}

}  // namespace
