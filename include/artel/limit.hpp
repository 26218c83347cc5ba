// Limits of a loop or a group of tasks: how many may run at a time, on which NUMA nodes, and until
// when.
#pragma once

#include <artel/detail/plain_vector.hpp>
#include <stop_token>

namespace artel {

struct limit {
    // At most this many run at a time, including the caller; 0: as many as the crew has workers.
    unsigned concurrency = 0;

    // OS indices of the NUMA nodes whose workers may take part; empty: all. Indices that do not
    // exist are ignored; if none is left, all nodes take part.
    detail::plain_vector<unsigned> numas{};

    // A requested stop ends the work early: work that has not begun is dropped.
    std::stop_token stop{};
};

}  // namespace artel
