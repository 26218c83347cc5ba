// The shared segment of one communicator on one node, and each rank's view of it.
//
// - Head: one page, with the token of the memory.
// - Area r, on rank r's NUMA node: one page with its counter lines, its ring of control lines, its
//   queue of b bytes.
//
// The paper's protocol has another layout, described in paper.hpp; both have a head and equal
// areas.
#pragma once

#include "coll/settings.hpp"
#include "shm/memory.hpp"
#include "shm/ring.hpp"

namespace artel::coll {

// How the receiver of a direct message lets the root help it. The receiver owns it; the root takes
// chunks.
struct alignas(shm::line_size) direct_line {
    shm::awaited_word open;  // number of the item that the root may help with, plus one
    // upper half: that number; lower half: the next free chunk.
    std::atomic<std::uint64_t> cursor;
    std::uint64_t address;                // of the receiver's buffer
    std::atomic<std::uint32_t> returned;  // a chunk that the kernel refused to copy, plus one
    alignas(shm::line_size) shm::awaited_word finished;  // chunks copied, or returned
};

struct area_view {
    shm::counter_line* counter;
    direct_line* direct;
    shm::control_line* ring;
    std::byte* queue;
};

struct layout {
    std::size_t head_bytes;
    std::size_t area_bytes;
    std::size_t direct_at, ring_at, queue_at;  // inside an area

    static layout of(const settings& s)
    {
        const std::size_t unit = s.huge != 0 ? std::size_t{2} << 20 : shm::page_size();
        layout l{};
        l.head_bytes = unit;
        l.direct_at = shm::round_up(sizeof(shm::counter_line), 2 * shm::line_size);
        l.ring_at = shm::round_up(l.direct_at + sizeof(direct_line), shm::page_size());
        l.queue_at = shm::round_up(l.ring_at + s.slots * sizeof(shm::control_line),
                                   shm::page_size());
        l.area_bytes = shm::round_up(l.queue_at + s.queue_bytes, unit);
        return l;
    }
    std::size_t bytes(unsigned ranks) const { return head_bytes + ranks * area_bytes; }
    std::size_t area_at(unsigned rank) const { return head_bytes + rank * area_bytes; }

    area_view view(std::byte* segment, unsigned rank) const
    {
        std::byte* const area = segment + area_at(rank);
        area_view v{};
        v.counter = reinterpret_cast<shm::counter_line*>(area);
        v.direct = reinterpret_cast<direct_line*>(area + direct_at);
        v.ring = reinterpret_cast<shm::control_line*>(area + ring_at);
        v.queue = area + queue_at;
        return v;
    }
};

}  // namespace artel::coll
