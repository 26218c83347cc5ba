#include "coll/tree.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace artel::coll {
namespace {

constexpr std::array<const char*, 5> names{"flat", "chain", "kary", "knomial", "numa"};

std::vector<std::vector<unsigned>> shifted_children(tree_kind kind, std::uint64_t k, unsigned size)
{
    std::vector<std::vector<unsigned>> of(size);
    for (std::uint64_t v = 0; v < size; ++v) {
        switch (kind) {
        case tree_kind::flat:
            for (unsigned c = 1; v == 0 && c < size; ++c) {
                of[v].push_back(c);
            }
            break;
        case tree_kind::chain:
            if (v + 1 < size) {
                of[v].push_back(static_cast<unsigned>(v + 1));
            }
            break;
        case tree_kind::kary:
            for (std::uint64_t c = v * k + 1; c <= v * k + k && c < size; ++c) {
                of[v].push_back(static_cast<unsigned>(c));
            }
            break;
        case tree_kind::knomial:
            // In base k the children of v are v with one more digit set, below v's lowest non-zero
            // digit; the highest first: the largest subtree.
            for (std::uint64_t digit = 1; digit < size && v / digit % k == 0; digit *= k) {
                for (std::uint64_t d = k - 1; d >= 1; --d) {
                    if (v + d * digit < size) {
                        of[v].insert(of[v].begin(), static_cast<unsigned>(v + d * digit));
                    }
                }
            }
            break;
        case tree_kind::hierarchical: break;
        }
    }
    return of;
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

tree::tree(tree_kind kind, unsigned k, unsigned rank, unsigned size, const std::vector<seat>& seats)
    : kind_(kind), rank_(rank), size_(size), seats_(seats)
{
    if (kind_ == tree_kind::hierarchical) {
        std::map<std::vector<unsigned>, std::uint32_t> known;
        for (unsigned root = 0; root < size_; ++root) {
            const auto [entry, fresh] = known.try_emplace(
                children_below(root), static_cast<std::uint32_t>(lists_.size()));
            if (fresh) {
                lists_.push_back(entry->first);
            }
            list_of_root_.push_back(entry->second);
        }
        return;
    }
    const unsigned arity = std::max(k, kind_ == tree_kind::knomial ? 2U : 1U);
    first_.push_back(0);
    for (const auto& list : shifted_children(kind_, arity, size_)) {
        children_.insert(children_.end(), list.begin(), list.end());
        first_.push_back(static_cast<unsigned>(children_.size()));
    }
}

std::vector<unsigned> tree::children(unsigned root) const
{
    std::vector<unsigned> result;
    for_each_child(root, [&](unsigned c) { result.push_back(c); });
    return result;
}

const std::vector<unsigned>& tree::hierarchical_children(unsigned root) const
{
    return lists_[list_of_root_[root]];
}

std::vector<unsigned> tree::children_below(unsigned root) const
{
    const auto same_node = [&](unsigned a, unsigned b) { return seats_[a].numa == seats_[b].numa; };
    const auto same_cache = [&](unsigned a, unsigned b) {
        return same_node(a, b) && seats_[a].cache == seats_[b].cache;
    };
    // The leader of the group that `member` is in: the root if it is in there, else the lowest
    // rank.
    const auto leader = [&](unsigned member, const auto& same) {
        if (same(root, member)) {
            return root;
        }
        for (unsigned r = 0; r < size_; ++r) {
            if (same(r, member)) {
                return r;
            }
        }
        return member;
    };
    std::vector<unsigned> result;
    if (rank_ == root) {
        for (unsigned r = 0; r < size_; ++r) {
            if (!same_node(r, rank_) && leader(r, same_node) == r) {
                result.push_back(r);
            }
        }
    }
    if (leader(rank_, same_node) == rank_) {
        for (unsigned r = 0; r < size_; ++r) {
            if (same_node(r, rank_) && !same_cache(r, rank_) && leader(r, same_cache) == r) {
                result.push_back(r);
            }
        }
    }
    if (leader(rank_, same_cache) == rank_) {
        for (unsigned r = 0; r < size_; ++r) {
            if (r != rank_ && same_cache(r, rank_)) {
                result.push_back(r);
            }
        }
    }
    return result;
}

}  // namespace artel::coll
