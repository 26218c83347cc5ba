// Segments of freed communicators, kept by this process for the next communicator of the same
// ranks, which saves making, reserving, mapping and removing a file.
//
// Each rank of a set-up takes all its cached segments out and tells the others which ones it has;
// all choose the same one (common_segment), and the others go back. While they are taken out no
// other thread of the process can offer them. A rank that offers a segment no longer uses it, so
// once all have offered it, each may clean its own area. Few are kept (cache_segment), and only
// small ones (~site), so that they do not use much memory.
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

// Takes out those whose area is on this NUMA node; the most recently kept one comes first. Any
// thread.
std::vector<cached_segment> take_cached_segments(int numa);

// Keeps one, and drops the oldest if there are too many. Any thread.
void cache_segment(cached_segment s);

// Drops all. Any thread.
void drop_cached_segments();

std::uint64_t digest_of(const settings& s);

}  // namespace artel::coll
