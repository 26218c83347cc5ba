// A child's state is a hash (splitmix64) of its parent's state and its number. The upper bits of a
// state, read as a fraction, decide whether the node has children.
#include "tree.h"

#include <cstdint>

namespace {

constexpr long children = 8;
constexpr double probability = 0.12375;

}  // namespace

std::uint64_t tree_child(std::uint64_t parent, long child)
{
    std::uint64_t state = parent + 0x9e3779b97f4a7c15 * (static_cast<std::uint64_t>(child) + 1);
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
    return state ^ (state >> 31);
}

long tree_children(std::uint64_t node)
{
    return static_cast<double>(node >> 11) * 0x1p-53 < probability ? children : 0;
}

long tree_count(std::uint64_t node)
{
    long found = 1;
    const long below = tree_children(node);
    for (long i = 0; i < below; ++i)
        found += tree_count(tree_child(node, i));
    return found;
}
