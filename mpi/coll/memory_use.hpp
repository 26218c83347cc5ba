// How much shared memory this process's communicators use, and the limit of it (ARTEL_MPI_LIMIT).
// Any thread.
#pragma once

#include "coll/settings.hpp"

#include <cstdint>

namespace artel::coll {

// The sum for all ranks of a node: each of them counts the whole segment.
std::uint64_t memory_in_use() noexcept;
void count_memory(std::uint64_t bytes) noexcept;
void discount_memory(std::uint64_t bytes) noexcept;

// A sixteenth of the machine's memory.
std::uint64_t usual_limit() noexcept;
std::uint64_t limit_of(const settings& s) noexcept;

}  // namespace artel::coll
