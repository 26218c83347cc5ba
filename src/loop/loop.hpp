// Parallel loops: what is asked for, and the one interface behind which the algorithms are. An algorithm decides how iterations are dealt out among
// the participants of a running loop, and nothing else: who takes part is recruit.cpp's business, the loop's life descriptor.cpp's.
// To add an algorithm: one file with an `algorithm` object, and a line in by_name().
#pragma once

#include "sched/node_set.hpp"

#include <cstdint>
#include <stop_token>
#include <string_view>

namespace artel::loop {

class descriptor;

// [first, last) in units of a running loop.
struct unit_range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool empty() const noexcept { return first >= last; }
    std::uint32_t size() const noexcept { return last - first; }
};

// Runs iterations [begin, end) as participant number `participant`; may throw. Calls with one number are never concurrent.
using range_body = void (*)(void* context, std::int64_t begin, std::int64_t end, unsigned participant);

struct algorithm {
    std::string_view name;
    // Runs iterations as the participant that owns slot `own`, until there is none left that it may take. `mine` are its units to begin with: they are
    // not in its slot, which is empty if there are any. May be left early only when d.stopped(). Called once per participant; may switch
    // inside the body, so nothing that belongs to the worker is kept across it.
    void (*participate)(descriptor& d, unsigned own, unit_range mine);
    // Whether a loop with one participant may be one call of the body over everything.
    bool whole_when_alone;
    // Whether it learns what iterations cost, place by place (site.hpp), and may run loops that are not worth sharing without others.
    bool learns = false;
};

extern const algorithm automatic;  // a share per participant, a measured grain at a time, halves of shares are stolen; the default
extern const algorithm static_;    // a share per participant, in one call; shares of those who do not come are run by the others
extern const algorithm simple;     // exactly `grain` iterations at a time, halves of shares are stolen

// The algorithm of that name; nullptr when there is none.
const algorithm* by_name(std::string_view name) noexcept;

struct request {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t grain = 1;
    const algorithm* how = &automatic;
    range_body body = nullptr;
    void* context = nullptr;
    unsigned concurrency = 0;  // most participants, the caller included; 0: the crew's width
    sched::node_set nodes;     // where they may run
    std::stop_token stop;      // ends the loop early when requested
};

// Most participants under this limit.
unsigned width(unsigned concurrency) noexcept;

// Runs the loop on the caller and whoever is free, and returns when the last participant has left. The first exception of the body stops
// the loop and is thrown here. Any context; nested and concurrent loops; switches.
void run(const request& r);

}  // namespace artel::loop
