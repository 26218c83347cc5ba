// The broadcast as the paper describes it (its figures 1 and 2), for experiments and comparison;
// programs use lines.hpp.
//
// Segment: a page for the memory's token, q pages with a set's two counters on cache lines of their
// own; then per rank s control blocks of a page each and s fragments of f bytes. A set counts its
// uses: `op` tells the others that the root has opened it for the next one, and `left` how often a
// rank has left it, which it does by one atomic addition when it has copied the set's fragments.
// Before a set is used again the root waits until all p - 1 others have left its last use.
//
// Differences from the paper, which has no ranks that sleep:
//
// - Nothing is reset, all words only grow. The paper's root writes p - 1 into `shm_nreaders`, which
//   the others count down to 0, and a reader resets its control block to 0; a rank that sleeps
//   until a word has reached a number (shm::awaited_word) must not find it smaller again. So `left`
//   counts up, as often per use, and a block holds the number of its set's use, with the size
//   beside it.
// - There is no array `leaders`, which in the paper tells ranks who leads their NUMA node: each of
//   ours knows the places of all others from the set-up, and makes its tree from them.
#pragma once

#include "coll/channel.hpp"
#include "coll/message_remainder.hpp"
#include "coll/tree.hpp"

namespace artel::coll {

class paper_channel final : public channel {
public:
    paper_channel(const party& p, const shm::waiter& waiting);

    shm::status broadcast(const artel_message& m, unsigned root) noexcept override;
    void log_steps(step_log* log) noexcept override { log_ = log; }

private:
    struct set_counters {
        alignas(shm::line_size) shm::awaited_word op;
        // how often the others have left the set, in all.
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
    shm::status enter(std::size_t set, unsigned root, std::uint32_t next) noexcept;
    shm::status pass(std::size_t index, unsigned root, std::uint32_t number,
                     rest& message) noexcept;

    const shm::waiter& waiting_;
    unsigned rank_, size_;
    std::size_t f_, s_, q_;
    std::byte* segment_;
    std::size_t head_, area_, page_;
    tree tree_;
    step_log* log_ = nullptr;
    std::uint64_t op_ = 0;
    std::vector<std::uint32_t> uses_;  // of each set, by any root
};

}  // namespace artel::coll
