// Notification trees: which rank tells which others that the next item is there. Any rank may be
// the root; a child is found in O(1), with O(p) memory per rank, as in the paper.
//
// k-ary, k-nomial, flat and chain are the same for every root but for a shift: with v = (rank -
// root) mod p as virtual rank, the children of v do not depend on the root, and over all v there
// are p - 1 of them. So one table of all of them, computed once, is enough for every root.
//
// A grouped tree crosses between NUMA nodes and caches as rarely as possible: the root notifies one
// leader in every other NUMA node, each of these one in every other cache group of its node, and
// inside a cache group one of the shapes above begins at its leader. The root leads all the groups
// it is in; the lowest rank leads the others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace artel::coll {

// hierarchical: grouped, and flat inside a cache group. automatic: the root chooses one of several
// grouped trees for each message (tree_choice.hpp); no shape of its own.
enum class tree_kind : std::uint32_t { flat, chain, kary, knomial, hierarchical, automatic };

// Parses "flat", "chain", "kary", "knomial", "numa", "auto"; false for others.
bool parse_tree_kind(std::string_view word, tree_kind& kind);
const char* name_of(tree_kind kind);

// Where a rank runs: ranks with equal numbers share a NUMA node, and a last-level cache.
struct locality {
    int numa;
    int cache;
};

// Ranks of the largest cache group.
unsigned largest_group(const std::vector<locality>& localities);
// The largest number of leaders of other groups that a root notifies itself in a grouped tree.
unsigned most_notified_leaders(const std::vector<locality>& localities);

// The children of every virtual rank, for shapes that do not depend on the places of ranks.
class tree_shape {
public:
    // `k` >= 1 is for kary, and >= 2 for knomial; smaller ones count as these.
    tree_shape(tree_kind kind, unsigned k, unsigned size);

    template <typename Visit>
    void for_each_child(unsigned v, Visit visit) const
    {
        for (unsigned i = first_[v]; i < first_[v + 1]; ++i) {
            visit(children_[i]);
        }
    }

private:
    std::vector<unsigned> first_;     // of virtual rank v in children_
    std::vector<unsigned> children_;  // virtual ranks, the farthest subtree first
};

// The places of all ranks as one rank needs them; made once for all trees of a communicator.
class neighbours {
public:
    // No places are known: all are one group.
    neighbours(unsigned rank, unsigned size);
    neighbours(unsigned rank, const std::vector<locality>& localities);

    std::size_t group_size() const noexcept { return group_.size(); }

    // Visits this rank's children in the grouped tree with that shape inside the groups.
    template <typename Visit>
    void for_each_child(const tree_shape& inner, unsigned root, Visit visit) const
    {
        if (rank_ == root) {
            for (const unsigned leader : other_nodes_) {
                visit(leader);
            }
        }
        if (rank_ == (in_node_[root] ? root : node_lowest_)) {
            for (const unsigned leader : other_caches_) {
                visit(leader);
            }
        }
        const auto size = static_cast<unsigned>(group_.size());
        const unsigned base = place_[root] < size ? place_[root] : 0;
        const unsigned own = place_[rank_];
        inner.for_each_child(own >= base ? own - base : own + size - base, [&](unsigned v) {
            const unsigned at = v + base;
            visit(group_[at >= size ? at - size : at]);
        });
    }

private:
    unsigned rank_, node_lowest_ = 0;
    std::vector<unsigned> other_nodes_;   // the lowest rank of each
    std::vector<unsigned> other_caches_;  // of this rank's node, the lowest rank of each
    std::vector<unsigned> group_;         // ranks that share this rank's cache, ascending
    std::vector<bool> in_node_;           // by rank: whether it is of this rank's node
    std::vector<unsigned> place_;         // by rank: its place in group_; the size: not there
};

class tree {
public:
    // The part of one rank; `shape` has the size of its group.
    tree(std::shared_ptr<const neighbours> near, tree_shape shape)
        : near_(std::move(near)), shape_(std::move(shape))
    {}
    // For rank `rank` of `size`; `localities` (one per rank) is for hierarchical.
    tree(tree_kind kind, unsigned k, unsigned rank, unsigned size,
         const std::vector<locality>& localities = {});

    // Calls visit(child) for each child of this rank, the farthest subtree first, in the tree with
    // this root.
    template <typename Visit>
    void for_each_child(unsigned root, Visit visit) const
    {
        near_->for_each_child(shape_, root, visit);
    }

    // All children, for tests and for callers that need their number.
    std::vector<unsigned> children(unsigned root) const;

private:
    std::shared_ptr<const neighbours> near_;
    tree_shape shape_;
};

}  // namespace artel::coll
