// Children of virtual ranks for each kind of tree, and the neighbours of a rank: leaders stand for
// groups of ranks near each other.
#include "coll/tree.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace artel::coll {
namespace {

constexpr std::array<const char*, 6> names{"flat", "chain", "kary", "knomial", "numa", "auto"};

// In base k the children of v are v with one more digit set, below v's lowest non-zero digit; the
// highest first: the largest subtree.
void add_knomial_children(std::vector<unsigned>& to, std::uint64_t v, std::uint64_t k,
                          unsigned size)
{
    std::uint64_t digit = 1;
    while (digit < size && v / digit % k == 0) {
        digit *= k;
    }
    for (digit /= k; digit >= 1; digit /= k) {
        for (std::uint64_t d = 1; d < k; ++d) {
            if (v + d * digit < size) {
                to.push_back(static_cast<unsigned>(v + d * digit));
            }
        }
    }
}

}  // namespace

bool parse_tree_kind(std::string_view word, tree_kind& kind)
{
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end()) {
        return false;
    }
    kind = static_cast<tree_kind>(at - names.begin());
    return true;
}

const char* name_of(tree_kind kind)
{
    return names.at(static_cast<std::size_t>(kind));
}

unsigned largest_group(const std::vector<locality>& localities)
{
    std::vector<std::pair<int, int>> sorted;
    for (const locality& s : localities) {
        sorted.emplace_back(s.numa, s.cache);
    }
    std::sort(sorted.begin(), sorted.end());
    unsigned largest = 0;
    for (auto from = sorted.begin(); from != sorted.end();) {
        const auto to = std::upper_bound(from, sorted.end(), *from);
        largest = std::max(largest, static_cast<unsigned>(to - from));
        from = to;
    }
    return largest;
}

unsigned most_notified_leaders(const std::vector<locality>& localities)
{
    std::map<int, std::set<int>> caches;  // of each NUMA node
    for (const locality& s : localities) {
        caches[s.numa].insert(s.cache);
    }
    std::size_t most = 0;
    for (const auto& [node, inside] : caches) {
        most = std::max(most, inside.size() - 1);
    }
    return caches.empty() ? 0 : static_cast<unsigned>(caches.size() - 1 + most);
}

tree_shape::tree_shape(tree_kind kind, unsigned k, unsigned size)
{
    first_.reserve(size + 1);
    children_.reserve(size);
    const std::uint64_t arity = std::max(k, kind == tree_kind::knomial ? 2U : 1U);
    for (std::uint64_t v = 0; v < size; ++v) {
        first_.push_back(static_cast<unsigned>(children_.size()));
        switch (kind) {
        case tree_kind::flat:
        case tree_kind::hierarchical:
        case tree_kind::automatic:
            for (unsigned c = 1; v == 0 && c < size; ++c) {
                children_.push_back(c);
            }
            break;
        case tree_kind::chain:
            if (v + 1 < size) {
                children_.push_back(static_cast<unsigned>(v + 1));
            }
            break;
        case tree_kind::kary:
            for (std::uint64_t c = v * arity + 1; c <= v * arity + arity && c < size; ++c) {
                children_.push_back(static_cast<unsigned>(c));
            }
            break;
        case tree_kind::knomial: add_knomial_children(children_, v, arity, size); break;
        }
    }
    first_.push_back(static_cast<unsigned>(children_.size()));
}

neighbours::neighbours(unsigned rank, unsigned size)
    : neighbours(rank, std::vector<locality>(size, locality{0, 0}))
{}

neighbours::neighbours(unsigned rank, const std::vector<locality>& localities) : rank_(rank)
{
    const auto size = static_cast<unsigned>(localities.size());
    const locality own = localities[rank];
    std::vector<int> nodes, caches;  // those whose leader is known
    bool lowest_known = false;
    const auto is_new = [](std::vector<int>& known, int number) {
        const bool fresh = std::find(known.begin(), known.end(), number) == known.end();
        if (fresh) {
            known.push_back(number);
        }
        return fresh;
    };
    in_node_.resize(size);
    for (unsigned r = 0; r < size; ++r) {
        const locality& at = localities[r];
        in_node_[r] = at.numa == own.numa;
        if (!in_node_[r]) {
            if (is_new(nodes, at.numa)) {
                other_nodes_.push_back(r);
            }
            continue;
        }
        if (!lowest_known) {
            node_lowest_ = r;
            lowest_known = true;
        }
        if (at.cache == own.cache) {
            group_.push_back(r);
        } else if (is_new(caches, at.cache)) {
            other_caches_.push_back(r);
        }
    }
    place_.assign(size, static_cast<unsigned>(group_.size()));
    for (unsigned i = 0; i < group_.size(); ++i) {
        place_[group_[i]] = i;
    }
}

tree::tree(tree_kind kind, unsigned k, unsigned rank, unsigned size,
           const std::vector<locality>& localities)
    : near_(kind == tree_kind::hierarchical && !localities.empty()
                ? std::make_shared<const neighbours>(rank, localities)
                : std::make_shared<const neighbours>(rank, size)),
      shape_(kind, k, static_cast<unsigned>(near_->group_size()))
{}

std::vector<unsigned> tree::children(unsigned root) const
{
    std::vector<unsigned> result;
    for_each_child(root, [&](unsigned c) { result.push_back(c); });
    return result;
}

}  // namespace artel::coll
