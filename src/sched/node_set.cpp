// NUMA restrictions. Own workers are bound to a CPU or its L3 where there is more than one
// (crew_placement::bind), so their node is known by number.
#include "sched/node_set.hpp"

#include "sched/crew.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <sched.h>

namespace artel::sched {
namespace {

bool contains(std::span<const unsigned> nodes, unsigned node) noexcept
{
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

unsigned node_of(const worker& w) noexcept
{
    const auto& cpus = topology::this_machine().cpus;
    if (w.kind == role::guest) {
        const int here = ::sched_getcpu();
        for (const topology::cpu& c : cpus) {
            if (static_cast<int>(c.os_index) == here) {
                return c.numa;
            }
        }
    }
    return cpus[w.seat % cpus.size()].numa;  // as crew_placement::bind places it
}

}  // namespace

node_set::node_set(std::span<const unsigned> nodes) noexcept
{
    bool some = false;
    bool all = true;
    for (const topology::cpu& c : topology::this_machine().cpus) {
        const bool in = contains(nodes, c.numa);
        some |= in;
        all &= in;
    }
    if (some && !all) {
        nodes_ = nodes;
    }
}

bool node_set::allows(const worker& w) const noexcept
{
    return nodes_.empty() || contains(nodes_, node_of(w));
}

worker* node_set::pick(crew& c) const noexcept
{
    static std::atomic<unsigned> turn{0};
    const unsigned n = c.own_worker_limit();
    // relaxed: only spreads the choice.
    const unsigned start = turn.fetch_add(1, std::memory_order_relaxed);
    for (unsigned i = 0; i < n; ++i) {
        worker* const w = c.own_worker((start + i) % n);
        if (w != nullptr && allows(*w)) {
            return w;
        }
    }
    return nullptr;
}

}  // namespace artel::sched
