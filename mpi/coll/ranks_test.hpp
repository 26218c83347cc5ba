// Ranks as threads, for tests of the collectives.
#pragma once

#include "coll/channel.hpp"
#include "shm/memory.hpp"
#include "shm/os.hpp"

#include <algorithm>
#include <thread>
#include <unistd.h>
#include <vector>

namespace artel::coll {

// For waiters in these tests: all ranks live, and there is no MPI library that has to make
// progress.
inline int nothing(void*)
{
    return 1;
}

// Runs body(rank) in as many threads, and waits for all.
template <typename Body>
void run_ranks(unsigned ranks, const Body& body)
{
    shm::register_for_heavy_fence();
    std::vector<std::thread> threads;
    for (unsigned r = 0; r < ranks; ++r) {
        threads.emplace_back([&body, r] { body(r); });
    }
    for (std::thread& t : threads) {
        t.join();
    }
}

// Runs body(channel, rank) in as many threads, on one segment. Of four caches in two NUMA nodes.
template <typename Body>
void with_channels(unsigned ranks, settings s, Body body, bool crowded = true)
{
    s.k = std::max(s.k, 2U);
    const segment_shape shape = s.protocol == protocol_kind::paper ? paper_shape(s)
                                                                   : lines_shape(s);
    const shm::memory memory = shm::memory::create(shm::memory::sort::memfd, "", false,
                                                   shape.head + ranks * shape.area);
    // The head of the paper's layout holds counters; the token in front of it stays.
    const shm::waiter waiting(crowded ? shm::crowded_limits : shm::roomy_limits, nothing, nothing,
                              nullptr);
    run_ranks(ranks, [&](unsigned r) {
        party p;
        p.rank = r;
        p.chosen = s;
        p.crowded = crowded;
        p.direct = true;
        p.times.hand_back = s.hand_back == choice::on;
        p.segment = memory.data();
        for (unsigned i = 0; i < ranks; ++i) {
            p.members.push_back(
                {::getpid(), 0, {static_cast<int>(i % 2), static_cast<int>(i % 4)}});
        }
        const auto channel = s.protocol == protocol_kind::paper ? make_paper_channel(p, waiting)
                                                                : make_lines_channel(p, waiting);
        body(*channel, r);
    });
}

}  // namespace artel::coll
