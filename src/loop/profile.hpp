// This machine's parameters for dealing out work along a tree (tree.hpp): how many workers each
// worker reaches, and how long it takes until all have begun. `artel tune` measures both and keeps
// them in a file of the user's cache, one per kind of machine; this reads it. Without a file, or
// for widths that were not measured, values are derived.
//
// The file is JSON, so that people and scripts can read it; its keys may be added to, but not
// renamed. A file that cannot be read, is of another machine or contains nonsense is ignored: an
// estimate must not stop a program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace artel::loop {

// The file's "format": another number when keys come to mean something else.
inline constexpr int profile_format = 1;

// The shape of the tree for some number of workers.
struct distribution {
    unsigned fan_out = 2;  // workers that each one reaches, at least 1
    // cycles of base::cycles() until all have begun, in 99 of 100 loops.
    std::uint64_t timespan = 0;
};

// For one width, as in the file.
struct width_profile {
    unsigned threads = 0;
    unsigned fan_out = 0;
    double timespan_ns = 0;
};

struct profile {
    std::vector<width_profile> widths;  // by rising `threads`
    // its file, or where that would be; empty when there is no place for it.
    std::string path;
    std::string problem;  // why there is none although a file exists; empty otherwise
    bool found() const noexcept { return !widths.empty(); }
};

// The machine's name in the file and, as a number, in the file's name: model of the processor,
// CPUs, NUMA nodes.
std::string machine_key();

// $XDG_CACHE_HOME/artel/tune-<machine>.json, or the same in ~/.cache; empty when neither variable
// is an absolute path, and for set-uid programs.
std::string profile_path();

// Parses the contents of a file for machine `key`; a profile with `problem` set when they are
// wrong. May throw std::bad_alloc.
profile parse_profile(std::string_view text, std::string_view key);

// The file's profile, read at the first call. Any thread; never throws (without memory for it the
// program ends). Valid until the process is gone.
const profile& machine_profile() noexcept;

// The tree for `threads` workers by this profile: as measured; else from the nearest measured
// width, by the number of steps; else by the cost of a step on current machines. `cpus` CPUs run
// them.
width_profile derive(const profile& from, unsigned threads, unsigned cpus) noexcept;

// The same with the machine's profile, in cycles. Fast after the first call for a width (the first
// call takes some 100 us).
distribution distribution_for(unsigned threads) noexcept;

// The number of steps along the tree from the first of `threads` workers to the last.
unsigned depth_of_tree(unsigned threads, unsigned fan_out) noexcept;

}  // namespace artel::loop
