// The length of a rank's queue and the size of its fragments (s, f and b = s f in the paper), from
// the paper's three rules, a share of the memory, or plain numbers; and how they are reduced when
// the memory that a process may use for collectives does not suffice.
#pragma once

#include "coll/settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace artel::coll {

// Sets `queue_bytes` and `fragment` by the chosen rule; `memory_per_core` in bytes. Pure.
//
//   queue     as they are: b is ARTEL_MPI_QUEUE, f ARTEL_MPI_FRAGMENT or the model's for a message
//   message   rule 1, the largest message m is known: f = sqrt(m), s = m / f, so that all fits
//   fragment  rule 2, f is given too (8 KiB unless ARTEL_MPI_FRAGMENT): s = m / f
//   length    rule 3, s is given too: f = sqrt(m), b = s f
//   memory    b is 1 % of the memory per core, f the model's for a message
//
// f is rounded up to whole pages, s to what the sets divide. (For rule 3 the paper has b = m as
// well, which only one s can have with f = sqrt(m); here s is what was asked for.)
void apply_rule(settings& s, std::uint64_t memory_per_core);

// The rule's numbers, and where each comes from: "f = 4096 (sqrt of ARTEL_MPI_LARGEST, in pages)".
struct sized_number {
    std::string name, value, origin;
};
std::vector<sized_number> explain_rule(const settings& chosen, std::uint64_t memory_per_core);

// Bytes of a segment for so many ranks.
std::uint64_t segment_bytes(const settings& s, unsigned ranks);

// The ranks of a node, and how many bytes each of them may still use.
struct node_room {
    unsigned ranks;
    std::uint64_t bytes;
};
// Makes a queue shorter, then its fragments smaller, then the pieces of the other collectives,
// until a segment fits on every node; false when it does not with one page in each set. `cut` tells
// whether anything was changed. Pure.
bool fit(settings& s, const std::vector<node_room>& nodes, bool& cut);

// Describes the effect of the limit on a communicator of this many ranks on one node: whether its
// segment fits, what it is reduced to, or that the MPI library's collectives are used. Pure.
sized_number explain_limit(const settings& chosen, std::uint64_t memory_per_core,
                           std::uint64_t limit, unsigned ranks);

// This machine's physical memory per online CPU.
std::uint64_t memory_per_core() noexcept;

}  // namespace artel::coll
