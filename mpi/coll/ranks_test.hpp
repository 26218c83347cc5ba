// Ranks as threads, for tests of what ranks do together.
#pragma once

#include "shm/os.hpp"

#include <thread>
#include <vector>

namespace artel::coll {

// For waiters that need not ask anybody: all ranks live, and there is no MPI to make progress in.
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

}  // namespace artel::coll
