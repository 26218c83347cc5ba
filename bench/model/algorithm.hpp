// The ways of sharing a loop out that are compared. Each is a coroutine that a worker runs from the
// loop's begin to its end; worker 0 is the caller, and its coroutine ends when the loop's call
// returns.
#pragma once

#include "crew.hpp"

#include <string>
#include <vector>

namespace artel::model {

struct algorithm {
    std::string name;
    step<> (*take_part)(crew&, worker&);
};

// "static", "automatic", "automatic-map", "counter", "timespan", "timespan-grain", "lazy".
const std::vector<algorithm>& algorithms();
// Throws std::runtime_error that lists the names.
const algorithm& algorithm_named(const std::string& name);

// equal shares along a tree; whoever is through waits for the others.
step<> take_part_static(crew&, worker&);
// the same shares, from which those who are through take halves (Artel's default).
step<> take_part_automatic(crew&, worker&);
// the same, with words that say who has something left.
step<> take_part_automatic_map(crew&, worker&);
// a tree to tell everybody, one counter to take n/(32 P) iterations at a time from.
step<> take_part_counter(crew&, worker&);
step<> take_part_timespan(crew&,
                          // the thesis: shares along a tree, balancing tasks of single iterations
                          // after a timespan.
                          worker&);
// the same with tasks as large as what was run in the timespan.
step<> take_part_timespan_grain(crew&, worker&);
// nobody is told; a worker halves its rest whenever its last offer has been taken.
step<> take_part_lazy(crew&, worker&);

// What those do that hear of the loop along the tree: shares by whom they were sent to, the caller
// its own. `participate` gets the own share, and ends when there is nothing left to do for this
// worker.
step<> take_part_along_tree(crew&, worker&, step<> (*participate)(crew&, worker&, range mine));

struct outcome {
    // ns from the call to the first iteration of the last worker that got any.
    double last_start = 0;
    double finish = 0;      // ns to the return of the call
    double idle_share = 0;  // of all CPU time in between
    unsigned took_part = 0;
    std::uint64_t steals = 0;
    std::uint64_t events = 0;
};

outcome simulate(const algorithm& by, const machine& where, const costs& what, const shape& body,
                 const setting& how);

}  // namespace artel::model
