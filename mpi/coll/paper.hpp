// The broadcast as the paper has it (its figures 1 and 2), for experiments and comparison;
// lines.hpp is what programs use.
//
// Segment: a page with `leaders` (one int per rank: the leader of its NUMA node), q pages with the
// counters `op` and `readers` on cache lines of their own; then per rank s control blocks of a page
// each and s fragments of f bytes. Before a set is used again the root waits until its `readers`
// has come down to zero: every other rank decrements it, atomically, when it has copied the set's
// fragments. `op` tells the others that the set is this operation's.
//
// One thing differs: the paper resets a control block to 0 after reading and stores the size; here
// a block holds the number of its use, so that the wait for it can sleep (shm::awaited_word), with
// the size beside it.
#pragma once

#include "coll/channel.hpp"
#include "coll/message_remainder.hpp"
#include "coll/tree.hpp"

namespace artel::coll {

class paper_channel final : public channel {
public:
    paper_channel(const party& p, const shm::waiter& waiting);

    shm::status broadcast(const artel_message& m, unsigned root) noexcept override;

private:
    struct set_counters {
        alignas(shm::line_size) shm::awaited_word op;
        // times p - 1 readers have left the set, in all.
        alignas(shm::line_size) shm::awaited_word left;
    };
    struct control_block {
        shm::awaited_word use;
        std::uint32_t size;
    };

    set_counters& counters(std::size_t set) const noexcept;
    control_block& control(unsigned rank, std::size_t index) const noexcept;
    std::byte* fragment(unsigned rank, std::size_t index) const noexcept;
    void tell_children(unsigned root, std::size_t index, std::uint32_t size) noexcept;

    const shm::waiter& waiting_;
    unsigned rank_, size_;
    std::size_t f_, s_, q_;
    std::byte* segment_;
    std::size_t head_, area_, page_;
    tree tree_;
    std::uint64_t op_ = 0;
    std::vector<std::uint32_t> uses_;  // of each set, by any root
};

}  // namespace artel::coll
