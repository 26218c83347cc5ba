// Parallel loops: requests, and the interface of the algorithms. An algorithm decides how
// iterations are dealt out among the participants of a running loop, and nothing else: recruit.cpp
// decides who takes part, descriptor.cpp manages the loop's life. To add an algorithm: one file
// with an `algorithm` object, a line in algorithms() (loop.cpp), an enumerator in
// <artel/detail/loop.hpp> and a partitioner in <artel/partitioner.hpp>, and its name in the words
// of ARTEL_LOOP (options_table.cpp).
#pragma once

#include "loop/range_word.hpp"
#include "sched/node_set.hpp"
#include "sched/width.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>

namespace artel::loop {

class descriptor;

// Runs iterations [begin, end) as participant number `participant`; may throw. Calls with one
// number are never concurrent.
using range_body = void (*)(void* context, std::int64_t begin, std::int64_t end,
                            unsigned participant);

// Identifies a call site: an address that belongs to it, usually the body's.
using site_key = std::uintptr_t;
inline site_key site_key_of(range_body body) noexcept
{
    return reinterpret_cast<site_key>(body);
}

struct request;

// The length of [begin, end), which may exceed the largest signed integer.
inline std::uint64_t iterations_between(std::int64_t begin, std::int64_t end) noexcept
{
    return static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
}

// Where the iterations lie when a loop begins.
enum class layout : std::uint8_t {
    shares,  // an equal share for every slot
    caller,  // all with the caller, and no worker is invited before some are offered
    common   // in none of the slots: all take from descriptor::common
};

struct algorithm {
    std::string_view name;
    // Runs iterations as the participant that owns slot `own`, until there is none left that it may
    // take. `mine` are its first units: if there are any, its slot is empty. May return early only
    // when d.stopped(). Called once per participant; may switch inside the body, so nothing that
    // belongs to the worker is kept across it.
    void (*participate)(descriptor& d, unsigned own, unit_range mine);
    // Whether a loop with one participant may be one call of the body over everything.
    bool whole_when_alone;
    // Whether it learns the cost of iterations, call site by call site (site.hpp), and may run
    // loops that are not worth sharing alone.
    bool learns = false;
    layout begins_with = layout::shares;
    // Participants may leave while others still have units that nobody sees. A participant that
    // calls for help (recruit.hpp) gets another one then, and the caller stays reachable until all
    // units have been run.
    bool comes_and_goes = false;
    // When the request has no grain (0): this many pieces per participant. 0: a grain of 1.
    unsigned default_pieces = 0;
    // Instead of all this: runs the loop with up to `slots` participants. For algorithms with their
    // own way to reach workers.
    void (*whole)(const request& r, unsigned slots) = nullptr;
};

// a share per participant, a measured grain at a time, halves of shares are stolen; the default.
extern const algorithm automatic;
// a share per participant, in one call; shares of workers that do not come are run by the others.
extern const algorithm static_;
// exactly `grain` iterations at a time, halves of shares are stolen.
extern const algorithm simple;
extern const algorithm dynamic;  // exactly `grain` iterations at a time from one counter
// a part of what is left at a time, at least `grain`, from one counter.
extern const algorithm guided;
// a share per participant; half of what is left is offered whenever the last offer was taken.
extern const algorithm lazy;
// the caller alone; half of what is left is offered at every beat of a clock.
extern const algorithm heartbeat;
// a tree of tasks in workers' inboxes, no task for thieves before a fixed time has passed.
extern const algorithm timespan;
// the same, with tasks as large as the work done in that time.
extern const algorithm timespan_grain;

// All of them, in the order of artel::detail::loop_algorithm.
std::span<const algorithm* const> algorithms() noexcept;

// The algorithm of that name; nullptr when there is none.
const algorithm* by_name(std::string_view name) noexcept;

// Whether ARTEL_LOOP chooses anything; kept where short loops see it without a call.
enum class choice : unsigned char { unknown, none, some };
inline constinit std::atomic<choice> what_is_chosen{choice::unknown};
choice find_out_what_is_chosen() noexcept;

// Whether ARTEL_LOOP chooses an algorithm or a grain.
inline bool any_chosen() noexcept
{
    // relaxed: self-contained.
    const choice known = what_is_chosen.load(std::memory_order_relaxed);
    return (known != choice::unknown ? known : find_out_what_is_chosen()) == choice::some;
}

// Whether ARTEL_LOOP chooses the algorithm; if so, changes a request for the default to it.
void take_chosen(request& r) noexcept;

struct distribution;  // profile.hpp

struct request {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t grain = 1;  // 0: the algorithm's own choice
    const algorithm* how = &automatic;
    range_body body = nullptr;
    void* context = nullptr;
    site_key from = 0;         // the call site whose costs apply; 0: the body's
    unsigned concurrency = 0;  // most participants, the caller included; 0: the crew's width
    sched::node_set nodes;     // where they may run
    std::stop_token stop;      // ends the loop early when requested
    // The width_scope that has given the participants their places; nullptr: run() asks for it.
    artel::detail::width_budget* within = nullptr;
    // For the timespan algorithms, in place of the machine's profile: the tuner's experiments.
    const distribution* distributed = nullptr;
};

// The largest number of participants under this limit.
unsigned width(unsigned concurrency) noexcept;

// Runs the loop on the caller and free workers, and returns when the last participant has left. The
// first exception of the body stops the loop and is thrown here. Any context; nested and concurrent
// loops; switches.
void run(const request& r);

}  // namespace artel::loop
