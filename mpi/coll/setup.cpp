// The sequence of the set-up: ranks exchange their descriptions, find out which of them share a
// node, and determine the size of segments. node_segment.cpp makes the segments.
#include "coll/setup.hpp"

#include "coll/agreement.hpp"
#include "coll/device.hpp"
#include "coll/memory_use.hpp"
#include "coll/setup_messages.hpp"
#include "coll/sizing.hpp"
#include "shm/os.hpp"

#include <algorithm>
#include <unistd.h>

namespace artel::coll {
namespace {

// A number for other processes to copy; no other process has the same at this address.
const std::uint64_t& probe() noexcept
{
    static const std::uint64_t value = 0x417274656c000000ULL ^
                                       static_cast<std::uint64_t>(::getpid()) *
                                           0x9e3779b97f4a7c15ULL;
    return value;
}

}  // namespace

site::cached_segments_holder::~cached_segments_holder()
{
    for (; !all.empty(); all.pop_back()) {
        cache_segment(std::move(all.back()));
    }
}

std::unique_ptr<site> site::make(const bootstrap& b, const settings& own) noexcept
{
    // Allocation failures happen in this rank only, and the ranks could not agree on them; they end
    // the process, as in MPI libraries.
    std::unique_ptr<site> result(new site);
    site& s = *result;
    s.bootstrap_ = b;
    s.ranks_ = static_cast<std::size_t>(b.size);
    look_for_devices();
    peer_description mine;
    mine.who = shm::own_identity();
    mine.chosen = own;
    mine.probe_at = reinterpret_cast<std::uintptr_t>(&probe());
    mine.probe_value = probe();
    mine.version = interface_version;
    mine.memory_per_core = memory_per_core();
    mine.usual_limit = usual_limit();
    mine.in_use = memory_in_use();
    mine.can_fence = shm::register_for_heavy_fence() ? 1 : 0;
    cached_segments_holder cached{take_cached_segments(mine.who.numa)};
    for (std::size_t i = 0; i < cached.all.size(); ++i) {
        mine.cached[i] = cached.all[i].name;
    }
    std::vector<peer_description> peers(static_cast<std::size_t>(b.size));
    if (!gather(b, mine, peers)) {
        s.story_ = "the library's allgather failed";
        return result;
    }
    // From here on everything follows from the peers, so it is the same in all ranks.
    for (const peer_description& c : peers) {
        if (c.version != interface_version) {
            s.story_ = "the ranks have different versions of this library";
            return result;
        }
        if (c.chosen.enabled == 0) {
            s.story_ = "switched off";
            return result;
        }
    }
    s.find_nodes(peers, b.rank);
    if (s.nodes() == peers.size()) {
        s.story_ = "no two ranks share a node";
        return result;
    }
    s.party_.chosen = peers[0].chosen;
    if (b.rank == 0) {
        std::vector<const settings*> all;
        for (const peer_description& c : peers) {
            all.push_back(&c.chosen);
        }
        tell_difference(all);
    }
    s.settle_sizes(peers);
    s.story_ = s.make_segment(b, peers, cached);
    s.usable_ = s.story_.empty();
    if (s.usable_) {
        s.describe();
    } else {
        s.memory_ = shm::memory();
    }
    return result;
}

void site::find_nodes(const std::vector<peer_description>& peers, int rank)
{
    for (const peer_description& c : peers) {
        const auto first = std::find_if(peers.begin(), peers.end(), [&](const peer_description& o) {
            return std::equal(o.who.host, o.who.host + 2, c.who.host);
        });
        const auto lowest = static_cast<int>(first - peers.begin());
        auto at = std::find(lowest_.begin(), lowest_.end(), lowest);
        if (at == lowest_.end()) {
            lowest_.push_back(lowest);
            at = lowest_.end() - 1;
        }
        const auto node = static_cast<unsigned>(at - lowest_.begin());
        number_.push_back(
            static_cast<unsigned>(std::count(node_of_.begin(), node_of_.end(), node)));
        node_of_.push_back(node);
    }
    own_node_ = node_of_[static_cast<std::size_t>(rank)];
    party_.rank = number_[static_cast<std::size_t>(rank)];
}

// The size of queues, the same for all nodes: rank 0's setting, reduced to what every rank may use.
void site::settle_sizes(const std::vector<peer_description>& peers)
{
    settings& chosen = party_.chosen;
    apply_rule(chosen, peers[0].memory_per_core);
    std::vector<node_room> rooms(nodes(), {0, ~std::uint64_t{0}});
    for (std::size_t r = 0; r < peers.size(); ++r) {
        const peer_description& p = peers[r];
        const std::uint64_t limit = chosen.memory_limit != 0 ? chosen.memory_limit : p.usual_limit;
        node_room& room = rooms[node_of_[r]];
        ++room.ranks;
        room.bytes = std::min(room.bytes, limit > p.in_use ? limit - p.in_use : 0);
    }
    // If even the smallest does not fit, making the segment reports it.
    fit(chosen, rooms, cut_);
}

}  // namespace artel::coll
