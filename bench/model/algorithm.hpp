// The ways of distributing a loop that are compared. Each is a coroutine that a worker runs from
// the loop's begin to its end; worker 0 is the caller, and its coroutine ends when the loop's call
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

// equal shares along a tree; a worker that has finished waits for the others.
step<> take_part_static(crew&, worker&);
// the same shares, half of which a worker that has finished steals (Artel's default).
step<> take_part_automatic(crew&, worker&);
// the same, with words that say which workers have something left.
step<> take_part_automatic_map(crew&, worker&);
// a tree to notify the workers, and one counter, from which they take n/(32 P) iterations at a
// time.
step<> take_part_counter(crew&, worker&);
// the thesis: shares along a tree, balancing tasks of single iterations after a timespan.
step<> take_part_timespan(crew&, worker&);
// the same with tasks as large as what was run in the timespan.
step<> take_part_timespan_grain(crew&, worker&);
// no notification; a worker halves what it has left whenever its last offer has been taken.
step<> take_part_lazy(crew&, worker&);

// For algorithms that notify along the tree: each worker gets the share that was sent to it, the
// caller its own. `participate` gets the worker's share, and ends when there is nothing left to do
// for this worker.
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
