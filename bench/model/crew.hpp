// The crew of a simulation: workers on CPUs, the cache lines they exchange, and what all ways of
// distributing a loop have in common.
//
// A line is at one CPU at a time. A writer fetches it from the CPU that touched it last; several
// writers are served one after the other. That makes a shared counter slow on a large machine. The
// model knows nothing else of memory: the cost of iterations includes what they read and write.
//
// Workers that share a CPU take turns on it; one that finds nothing to do yields. No worker is
// interrupted in an iteration.
#pragma once

#include "machine.hpp"
#include "shape.hpp"
#include "simulation.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <random>

namespace artel::model {

struct line {
    unsigned at = ~0u;  // the CPU that touched it last
    double free = 0;    // when the accesses that are under way have been served
    unsigned version = 0;
};

// Gives a worker its iterations, and the duty to notify the workers up to `to`.
struct letter {
    range share;
    unsigned to = 0;
};

struct worker {
    unsigned index = 0;
    unsigned cpu = 0;
    bool parked = false;
    std::optional<letter> mail;  // under `mail_line`
    line mail_line;
    std::coroutine_handle<> waiting;  // for mail
    bool expected = false;            // a letter was sent to it, which it has not taken
    range share;                      // under `share_line`
    line share_line;
    std::deque<range> tasks;  // under `task_line`; the front is stolen
    line task_line;
    std::vector<unsigned> seen;  // versions of the others' share lines
    worker* inviter = nullptr;   // the worker that counts it
    // workers that it has invited and that have not left, each with all that it has invited.
    unsigned counted = 0;
    bool worked_off = false;  // it has left itself
    line count_line;
    double first_iteration = -1;
    double worked = 0;
};

// How long a thief waits after a failure, when it waited `before` after the last one: searching
// costs the workers that run iterations, too.
inline double longer(double before)
{
    return std::min(1000.0, before < 20 ? 20 : 2 * before);
}

struct setting {
    unsigned workers = 2;
    unsigned fan_out = 2;  // how many each worker notifies; 0: the first notifies all
    bool parked = false;   // whether the others sleep when the loop begins
    // each worker counts those that it invited; otherwise all are counted on one line.
    bool count_in_tree = false;
    double timespan = 0;  // ns without balancing tasks, for the algorithms of the thesis
    std::uint64_t seed = 1;
};

class crew {
public:
    crew(const machine& where, const costs& what, const shape& body, const setting& how);

    simulation time;
    const machine& where;
    const costs& what;
    const shape& body;
    const setting how;
    std::vector<worker> workers;
    line state;              // counts participants, unless they count each other
    line counter;            // for algorithms with one
    std::vector<line> maps;  // for algorithms with them: of 32 workers each
    std::int64_t next = 0;
    std::int64_t left;          // iterations not yet run
    unsigned participants = 1;  // the caller, and all workers that were invited and have not left
    std::uint64_t steals = 0;
    std::mt19937_64 random;

    bool over() const { return left == 0; }
    unsigned size() const { return static_cast<unsigned>(workers.size()); }
    range share_of(unsigned i) const
    {
        return {body.iterations() * i / size(), body.iterations() * (i + 1) / size()};
    }

    step<> touch(worker& w, line& l);               // writes it
    step<> run(worker& w, range r);                 // iterations
    step<> send(worker& w, unsigned to, letter l);  // wakes if it sleeps
    // false: the loop is over and no letter will come.
    step<bool> receive(worker& w);
    // the letter of a worker that has not come; it is then w's own share.
    step<bool> take_back(worker& w, unsigned from);
    // Sends letters for the workers [from, to), fan_out of them for the whole.
    step<> invite(worker& w, unsigned from, unsigned to);
    step<> leave(worker& w);
    // called by the caller of the loop, when it has nothing left to do.
    step<> await_others(worker& w);
    step<> take_cpu(worker& w);  // waits for its turn
    void give_cpu(worker& w);    // for good
    // to others on the CPU; lets so much time pass if there are none.
    step<> give_way(worker& w, double otherwise = 10);
    double price_of_look(worker& w, unsigned at);  // of reading another's share, now
    void end();                                    // ends the waits for mail

    bool shares_cpus() const { return size() > where.cpus(); }

private:
    step<> discount(worker& w, worker& gone);
    struct turns {
        bool taken = false;
        std::deque<std::coroutine_handle<>> waiting;
    };
    std::vector<turns> cpus_;
};

}  // namespace artel::model
