// Broadcast through control lines and queues: our protocol. The rings and words are described in
// shm/ring.hpp.
//
// - Inlined, up to some hundred bytes: the lines themselves hold the bytes, and pass them along the
//   tree, without queue or counter.
// - Fragments: the root copies pieces into its own queue and the others copy them out, all at the
//   same time. A rank that sees a piece tells its children before it copies. The queue is divided
//   into sets; only when it enters a set again does the root check that all have consumed what
//   the set held.
// - Direct: the root publishes its buffer's address, and the others copy out of its address space
//   (one copy instead of two). The root, which would only wait meanwhile, takes chunks from the
//   work of those that are not ready, and writes them into their buffers.
//
// Death. A rank that finds that another one has died gives up, and sets a flag in its counter line
// before it returns: from then on its buffer may hold anything. So a rank that has copied out of
// the root's address space checks afterwards that the root had not given up; then the copy is
// valid. And a receiver does not give up while the root may be writing into its buffer, unless the
// root is dead.
//
// The root alone decides which way a message goes, and along which tree. The lines tell the others,
// so ranks with buffers of different layout cannot disagree.
#pragma once

#include "coll/channel.hpp"
#include "coll/layout.hpp"
#include "coll/message_remainder.hpp"
#include "coll/model.hpp"
#include "coll/tree_choice.hpp"

namespace artel::coll {

class lines_channel final : public channel {
public:
    lines_channel(const party& p, const shm::waiter& waiting);

    shm::status broadcast(const artel_message& m, unsigned root) noexcept override;
    void use_direct_from(std::uint64_t bytes) noexcept override { chosen_.direct_from = bytes; }
    void use_trees(const tree_table& table) noexcept override { table_ = table; }

private:
    shm::status send(const artel_message& m) noexcept;
    shm::status send_inlined(const artel_message& m) noexcept;
    shm::status send_fragments(const artel_message& m) noexcept;
    shm::status send_direct(const artel_message& m) noexcept;
    shm::status receive(const artel_message& m, unsigned root) noexcept;
    void take_fragment(rest& to, std::byte* fragment, std::size_t bytes,
                       std::uint64_t total) noexcept;
    shm::status receive_direct(const shm::control_line& line, rest& to, unsigned root) noexcept;
    shm::status help(std::uint64_t bytes, const std::byte* data) noexcept;
    bool help_once(unsigned rank, std::uint64_t bytes, const std::byte* data) noexcept;
    void give_up() noexcept;
    bool has_given_up(unsigned rank) const noexcept;
    bool lives(unsigned rank) const noexcept;

    // Writes the next item into the children's rings.
    template <typename Fill>
    shm::status post(unsigned root, Fill fill) noexcept;
    shm::status wait_for_slot(unsigned child) noexcept;
    // Counts an item as consumed; `tell` publishes the count at once, else it is published every
    // tell_every_ items.
    void consumed(bool tell) noexcept;
    // Takes `bytes` contiguous bytes of the own queue.
    shm::status take_queue(std::size_t bytes, std::size_t& offset) noexcept;
    shm::status wait_for_all(std::uint64_t items) noexcept;

    const shm::waiter& waiting_;
    settings chosen_;
    unsigned rank_, size_;
    bool crowded_, direct_;
    bool gave_up_ = false;
    // whether hand_back() is called for control lines and for what was copied out of the root's
    // queue (copy.hpp).
    bool hand_back_;
    // One tree, or with ARTEL_MPI_TREE=auto all of tree_forms; and the one of the current item.
    std::vector<tree> trees_;
    unsigned tree_ = 0;
    tree_table table_;
    std::vector<member> members_;
    std::vector<area_view> areas_;
    std::uint32_t mask_;                     // slots - 1
    std::uint32_t tell_every_;               // items
    std::uint64_t next_ = 0;                 // number of the next item
    std::vector<std::uint64_t> known_done_;  // of each rank, as last read

    // The own queue: bytes of each set, the set in use, how much of it is taken, for each set the
    // items after which it is free again, and the items up to the last fragment sent from here.
    // Only fragments are waited for: each rank publishes at once that it has consumed one, but may
    // publish other items later.
    std::size_t set_bytes_;
    std::size_t set_ = 0, used_ = 0;
    std::vector<std::uint64_t> free_after_;
    std::uint64_t sent_ = 0;
    model_times times_;
};

template <typename Fill>
shm::status lines_channel::post(unsigned root, Fill fill) noexcept
{
    const auto number = static_cast<std::uint32_t>(next_ + 1);
    shm::status result = shm::status::ok;
    trees_[tree_].for_each_child(root, [&](unsigned child) {
        if (result == shm::status::ok) {
            result = wait_for_slot(child);
        }
        if (result == shm::status::ok) {
            shm::control_line& line = areas_[child].ring[next_ & mask_];
            fill(line);
            line.tree = static_cast<std::uint16_t>(tree_);
            line.number.publish(number);
        }
    });
    return result;
}

}  // namespace artel::coll
