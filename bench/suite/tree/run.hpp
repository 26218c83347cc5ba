// Tree search: every node is a task's business, children are handed out by halves. Printed is the
// time per node; sizes are the root's children.
#pragma once

#include "../session.hpp"
#include "tree.h"

namespace artel::bench {

template <class Competitor>
long search(Competitor& competitor, std::uint64_t node);

template <class Competitor>
long search_children(Competitor& competitor, std::uint64_t node, long first, long last)
{
    if (last - first == 1)
        return search(competitor, tree_child(node, first));
    const long middle = first + (last - first) / 2;
    long left = 0;
    long right = 0;
    competitor.both([&] { left = search_children(competitor, node, first, middle); },
                    [&] { right = search_children(competitor, node, middle, last); });
    return left + right;
}

template <class Competitor>
long search(Competitor& competitor, std::uint64_t node)
{
    const long children = tree_children(node);
    return children == 0 ? 1 : 1 + search_children(competitor, node, 0, children);
}

template <class Competitor>
void run_tree(const session& s, Competitor& competitor)
{
    if constexpr (requires { competitor.both([] {}, [] {}); }) {
        for (const long size : s.sizes({512}, {64, 512, 4096}, {64, 512, 4096, 32768})) {
            long expected = 1;
            for (long i = 0; i < size; ++i)
                expected += tree_count(tree_child(0, i));
            long found = 0;
            const auto once = [&] {
                competitor.root([&] { found = 1 + search_children(competitor, 0, 0, size); });
            };
            once();
            s.verify(found == expected,
                     std::to_string(found) + " nodes instead of " + std::to_string(expected));
            s.sample("tree", size, once, static_cast<double>(expected), "ns");
            s.verify(found == expected,
                     std::to_string(found) + " nodes instead of " + std::to_string(expected));
        }
    }
}

}  // namespace artel::bench
