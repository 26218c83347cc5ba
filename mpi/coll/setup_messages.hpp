// Messages between the ranks of a communicator during its set-up, in three exchanges: what each
// rank is, which memory the leader of each node offers, and the outcome.
#pragma once

#include "coll/segment_cache.hpp"
#include "coll/setup.hpp"
#include "shm/identity.hpp"
#include "shm/memory.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <type_traits>
#include <vector>

namespace artel::coll {

// Version of the structures below: ranks with different ones do not work together.
inline constexpr std::uint32_t interface_version = 12;

// The first message, from every rank.
struct peer_description {
    shm::identity who;
    settings chosen;
    std::uint64_t probe_at = 0;  // address of a number for others to copy, and the number
    std::uint64_t probe_value = 0;
    std::uint32_t version = 0;
    std::uint32_t can_fence = 0;
    // The memory of its machine, and that used by this process's communicators.
    std::uint64_t memory_per_core = 0, usual_limit = 0, in_use = 0;
    segment_name cached[most_cached_segments];
};

// The second message, from the leader of each node: the memory that it made, and its earlier
// measurements among as many ranks. Left out if all nodes use a cached segment.
struct segment_offer {
    shm::ticket memory;
    std::uint32_t measured = 0;
    model_times times = assumed_times;
    std::uint64_t direct_from = direct_unknown;
};

// The last message, from every rank.
struct setup_result {
    std::int32_t error = 0;    // errno
    std::uint32_t direct = 0;  // whether it could copy out of a neighbour's memory
    std::uint32_t astray = 0;  // pages of its own that lie on another NUMA node, and stay there
    char reason[120] = {};

    void fail(const std::system_error& e)
    {
        error = e.code().value() == 0 ? EIO : e.code().value();
        std::snprintf(reason, sizeof reason, "%s", e.what());
    }
};

// Collective: gathers `own` of every rank in `all`, in the order of ranks. False when the caller's
// allgather fails.
bool gather(const bootstrap& b, const auto& own, auto& all)
{
    static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(own)>>);
    return b.allgather(b.context, &own, all.data(), static_cast<int>(sizeof own)) == 0;
}

}  // namespace artel::coll
