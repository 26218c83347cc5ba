// The ranks that share a node with this one, and where the parts of each lie in their segment:
// first the broadcast's head and areas, then those of the other collectives.
#pragma once

#include "coll/setup_messages.hpp"

namespace artel::coll {

struct site::node_plan {
    std::vector<const peer_description*> here;
    std::vector<std::size_t> ranks_here;
    unsigned ranks = 0;
    segment_shape shape{};
    exchange_shape exchanged{};
    std::size_t bytes = 0;

    std::size_t area_of(unsigned rank) const { return shape.head + rank * shape.area; }
    std::size_t exchange_at() const { return shape.head + ranks * shape.area; }
    std::size_t exchange_of(unsigned rank) const
    {
        return exchange_at() + rank * exchanged.bytes();
    }
};

}  // namespace artel::coll
