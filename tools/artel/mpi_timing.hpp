// How long one broadcast takes among the ranks of this tool: from an instant at which all begin,
// until the last of them has everything. Ranks meet in the collectives' own barrier: there they
// sleep while they wait, and return when one has died.
#pragma once

#include "artel/mpi_ranks.hpp"

#include <atomic>

namespace artel::tool {

double now() noexcept;  // seconds, of a clock that all processes share

// In memory that the ranks share.
struct timing_board {
    double start, end[most_mpi_ranks];
};

class stopwatch {
public:
    stopwatch(const rank_desk& desk, coll::site& site, timing_board& board)
        : rank_(desk.rank), size_(desk.size), crowded_(too_many_ranks(desk.size)), site_(site),
          board_(board)
    {}

    // Collective. The same seconds in all ranks; `good` becomes false when the broadcast, or a
    // meeting, fails.
    double broadcast(const artel_message& m, unsigned root, bool& good);

private:
    void meet(bool& good);

    unsigned rank_, size_;
    bool crowded_;
    coll::site& site_;
    timing_board& board_;
};

}  // namespace artel::tool
