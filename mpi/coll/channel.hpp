// A broadcast among ranks that share a segment: the interface of all protocols, and what they need
// to know about the ranks.
//
// One channel belongs to one communicator; MPI allows one collective operation at a time on it, so
// a channel is used by one thread at a time. Channels of different communicators are independent.
// All ranks call with the same root and the same number of bytes, in the same order.
#pragma once

#include "coll/measure.hpp"
#include "coll/message.h"
#include "coll/settings.hpp"
#include "coll/tree_choice.hpp"
#include "shm/waiter.hpp"

#include <memory>
#include <vector>

namespace artel::coll {

class step_log;

struct member {
    std::int32_t pid;     // in the caller's process-number namespace, else 0
    std::uint64_t start;  // of that process
    locality at;
};

// The ranks of a channel, and the segment they share.
struct party {
    unsigned rank = 0;
    std::vector<member> members;
    settings chosen;
    bool crowded = false;  // more ranks than CPUs
    bool direct = false;   // all may copy from each other's memory
    model_times times = assumed_times;
    tree_table trees;  // for ARTEL_MPI_TREE=auto
    std::byte* segment = nullptr;

    std::vector<locality> localities() const
    {
        std::vector<locality> all;
        for (const member& m : members) {
            all.push_back(m.at);
        }
        return all;
    }
};

class channel {
public:
    virtual ~channel() = default;
    channel(const channel&) = delete;
    channel& operator=(const channel&) = delete;

    // Sends m from rank `root` to all, or receives it. Waits; never throws. After any result but ok
    // and truncated the channel must not be used again.
    virtual shm::status broadcast(const artel_message& m, unsigned root) noexcept = 0;

    // The smallest message that the kernel copies between the processes when this rank is the root,
    // if all ranks allow it; 0: none. Until it is called, the settings decide.
    virtual void use_direct_from(std::uint64_t) noexcept {}

    // The trees that messages take when this rank is the root, if the settings leave the choice
    // open.
    virtual void use_trees(const tree_table&) noexcept {}

    // Logs this rank's steps from now on; nullptr: no longer. Only the paper's protocol has steps.
    virtual void log_steps(step_log*) noexcept {}

protected:
    channel() = default;
};

// `waiting` is used for the channel's whole life and not owned.
std::unique_ptr<channel> make_lines_channel(const party& p, const shm::waiter& waiting);
std::unique_ptr<channel> make_paper_channel(const party& p, const shm::waiter& waiting);

// Bytes of head and area that a protocol needs; the first `words` of an area are zero when a
// channel is made.
struct segment_shape {
    std::size_t head, area, words;
};
segment_shape lines_shape(const settings& s);
segment_shape paper_shape(const settings& s);

}  // namespace artel::coll
