// Segments of communicators that are gone, kept by this process for the next communicator of the
// same ranks: no file to make, to reserve, to map and to give back.
//
// Each rank of a set-up takes all its cached segments out, tells the others which ones it has, and
// all choose alike (common_segment); what is not chosen goes back. While they are taken out no
// other thread of the process can offer them. That a rank offers a segment says that it uses it no
// more, so once all have offered it, each may clean its own area. Few are kept (cache_segment), and
// only small ones (~site), so that memory does not pile up.
#pragma once

#include "coll/channel.hpp"
#include "coll/segment_name.hpp"
#include "shm/memory.hpp"

#include <cstdint>
#include <vector>

namespace artel::coll {

struct cached_segment {
    segment_name name;
    int numa = -1;  // where this rank's area lies
    shm::memory memory;
    model_times times = assumed_times;
    std::uint64_t direct_from = direct_unknown;  // as it was measured
};

// Takes out those whose area is on this NUMA node; the one kept last comes first. Any thread.
std::vector<cached_segment> take_cached_segments(int numa);

// Keeps one, and drops the oldest if there are too many. Any thread.
void cache_segment(cached_segment s);

std::uint64_t digest_of(const settings& s);

}  // namespace artel::coll
