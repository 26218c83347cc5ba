// Notification trees: who tells whom that the next item is there. Any root, children in O(1) each,
// O(p) memory per rank, as in the paper.
//
// k-ary, k-nomial, flat and chain look the same from every root, shifted: with v = (rank - root)
// mod p as virtual rank, the children of v do not depend on the root, and over all v there are p -
// 1 of them. So one table of all of them, computed once, serves every root. The hierarchical tree
// does depend on the root (it is the leader of all the groups it is in), and is worked out from the
// groups when asked: the root tells one leader in every other NUMA node, these tell one in every
// other cache group of their node, and these tell the rest of their group.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace artel::coll {

enum class tree_kind : std::uint32_t { flat, chain, kary, knomial, hierarchical };

// "flat", "chain", "kary", "knomial", "numa"; false when it is none of them.
bool parse_tree_kind(std::string_view word, tree_kind& kind);
const char* name_of(tree_kind kind);

// Where a rank sits: ranks with equal numbers share a NUMA node, and a last-level cache.
struct seat {
    int numa;
    int cache;
};

class tree {
public:
    // The part of rank `rank` of `size`. `k` >= 1 is for kary, and >= 2 for knomial. `seats` (one
    // per rank) is for hierarchical.
    tree(tree_kind kind, unsigned k, unsigned rank, unsigned size,
         const std::vector<seat>& seats = {});

    // Calls visit(child) for each child of this rank, the farthest subtree first, in the tree with
    // this root.
    template <typename Visit>
    void for_each_child(unsigned root, Visit visit) const
    {
        if (kind_ == tree_kind::hierarchical) {
            for (const unsigned child : hierarchical_children(root)) {
                visit(child);
            }
            return;
        }
        const unsigned v = rank_ >= root ? rank_ - root : rank_ + size_ - root;
        for (unsigned i = first_[v]; i < first_[v + 1]; ++i) {
            const unsigned child = children_[i] + root;
            visit(child >= size_ ? child - size_ : child);
        }
    }

    // All children, for tests and for callers that need their number.
    std::vector<unsigned> children(unsigned root) const;

private:
    const std::vector<unsigned>& hierarchical_children(unsigned root) const;
    std::vector<unsigned> children_below(unsigned root) const;

    tree_kind kind_;
    unsigned rank_, size_;
    std::vector<unsigned> first_;     // of virtual rank v in children_
    std::vector<unsigned> children_;  // virtual ranks
    std::vector<seat> seats_;
    // The lists of this rank for each root. O(p) entries: they differ only by where the root sits
    // relative to this rank.
    std::vector<std::vector<unsigned>> lists_;
    std::vector<std::uint32_t> list_of_root_;
};

}  // namespace artel::coll
