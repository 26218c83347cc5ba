// What the three ways of sending share: the choice between them, free slots in the children's
// rings, giving up when a rank has died, and the receiver's loop; and messages inside the lines.
// The others are in fragments.cpp and direct.cpp.
#include "coll/lines.hpp"

#include "coll/copy.hpp"

#include <algorithm>
#include <cstring>

namespace artel::coll {
namespace {

using shm::status;

std::vector<tree> make_trees(const party& p)
{
    const auto size = static_cast<unsigned>(p.members.size());
    std::vector<tree> all;
    if (p.chosen.shape != tree_kind::automatic) {
        all.emplace_back(p.chosen.shape, p.chosen.k, p.rank, size, p.localities());
        return all;
    }
    const auto near = std::make_shared<const neighbours>(p.rank, p.localities());
    const auto group = static_cast<unsigned>(near->group_size());
    for (const tree_form& form : tree_forms) {
        all.emplace_back(near, tree_shape(form.kind, form.k, group));
    }
    return all;
}

}  // namespace

segment_shape lines_shape(const settings& s)
{
    const layout l = layout::of(s);
    return {l.head_bytes, l.area_bytes, l.queue_at};
}

std::unique_ptr<channel> make_lines_channel(const party& p, const shm::waiter& waiting)
{
    return std::make_unique<lines_channel>(p, waiting);
}

lines_channel::lines_channel(const party& p, const shm::waiter& waiting)
    : waiting_(waiting), chosen_(p.chosen), rank_(p.rank),
      size_(static_cast<unsigned>(p.members.size())), crowded_(p.crowded), direct_(p.direct),
      hand_back_(size_ == 2 && p.times.hand_back), trees_(make_trees(p)), table_(p.trees),
      members_(p.members), mask_(p.chosen.slots - 1), tell_every_(p.chosen.slots / 4),
      known_done_(size_, 0),
      set_bytes_(std::max<std::size_t>(
          p.chosen.queue_bytes / p.chosen.sets / shm::line_size * shm::line_size, shm::line_size)),
      free_after_(p.chosen.sets, 0), times_(p.times)
{
    const layout l = layout::of(chosen_);
    for (unsigned r = 0; r < size_; ++r) {
        areas_.push_back(l.view(p.segment, r));
    }
    if (crowded_ && chosen_.direct_from != 0) {
        // With a direct message the root waits until the last reader has had a CPU; with the queue
        // it goes on, and each reader needs one time slice. Measured with 4 and 8 ranks on 2 CPUs:
        // the queue is faster until it has to be filled several times.
        chosen_.direct_from = std::max(chosen_.direct_from, 4 * chosen_.queue_bytes);
    }
}

status lines_channel::wait_for_slot(unsigned child) noexcept
{
    const std::uint64_t slots = mask_ + 1;
    if (next_ < slots || known_done_[child] > next_ - slots) {
        return status::ok;
    }
    shm::awaited_word& done = areas_[child].counter->done;
    if (const status s = waiting_.wait(done, static_cast<std::uint32_t>(next_ - slots + 1));
        s != status::ok) {
        return s;
    }
    // acquire: pairs with the release of publish(): the child has read what the slot held. Its lag
    // easily fits into 32 bits.
    const std::uint32_t behind = static_cast<std::uint32_t>(next_) -
                                 done.value.load(std::memory_order_acquire);
    known_done_[child] = next_ - static_cast<std::uint64_t>(
                                     static_cast<std::int64_t>(static_cast<std::int32_t>(behind)));
    return status::ok;
}

void lines_channel::consumed(bool tell) noexcept
{
    ++next_;
    if (tell || next_ % tell_every_ == 0) {
        areas_[rank_].counter->done.publish(static_cast<std::uint32_t>(next_));
    }
}

void lines_channel::give_up() noexcept
{
    gave_up_ = true;
    areas_[rank_].counter->gave_up.store(1, std::memory_order_relaxed);  // relaxed: see below
    // orders the store before anything that our callers do to their buffers; pairs with
    // has_given_up().
    base::full_fence();
}

bool lines_channel::has_given_up(unsigned rank) const noexcept
{
    // orders the load after the copy out of the rank's buffer; pairs with give_up().
    base::full_fence();
    // relaxed: ordered by the fence.
    return areas_[rank].counter->gave_up.load(std::memory_order_relaxed) != 0;
}

status lines_channel::wait_for_all(std::uint64_t items) noexcept
{
    for (unsigned r = 0; r < size_; ++r) {
        if (r == rank_ || known_done_[r] >= items) {
            continue;
        }
        if (const status s = waiting_.wait(areas_[r].counter->done,
                                           static_cast<std::uint32_t>(items));
            s != status::ok) {
            return s;
        }
        known_done_[r] = items;
    }
    return status::ok;
}

status lines_channel::broadcast(const artel_message& m, unsigned root) noexcept
{
    if (gave_up_) {
        return status::peer_died;  // the items are out of step
    }
    const status s = rank_ != root ? receive(m, root) : send(m);
    if (s == status::peer_died) {
        give_up();
    }
    return s;
}

status lines_channel::send(const artel_message& m) noexcept
{
    tree_ = trees_.size() == 1 ? 0 : table_.tree_for(m.bytes);
    if (m.bytes <= chosen_.inline_limit) {
        return send_inlined(m);
    }
    if (chosen_.direct_from != 0 && m.bytes >= chosen_.direct_from && direct_ &&
        m.data != nullptr) {
        return send_direct(m);
    }
    return send_fragments(m);
}

status lines_channel::send_inlined(const artel_message& m) noexcept
{
    rest from(m);
    while (from.left() > 0) {
        const std::size_t bytes = std::min<std::uint64_t>(from.left(), shm::inline_bytes);
        alignas(16) std::byte packed[shm::inline_bytes];
        const std::byte* const data = from.next(packed, bytes);
        const status s = post(rank_, [&](shm::control_line& line) {
            line.length = static_cast<std::uint32_t>(bytes | m.bytes << 16);
            line.kind = shm::item_kind::inlined;
            copy_small(line.payload.bytes, data, bytes);
        });
        if (s != status::ok) {
            return s;
        }
        // relaxed: only this rank reads its own ring. The store keeps every slot at most one round
        // old, even after 2^32 items as root.
        areas_[rank_].ring[next_ & mask_].number.value.store(static_cast<std::uint32_t>(next_ + 1),
                                                             std::memory_order_relaxed);
        consumed(false);
    }
    return from.result();
}

status lines_channel::receive(const artel_message& m, unsigned root) noexcept
{
    rest to(m);
    bool mismatch = false;
    std::uint64_t total = m.bytes;
    std::uint64_t got = 0;
    while (got < total) {
        shm::control_line& line = areas_[rank_].ring[next_ & mask_];
        if (const status s = waiting_.wait(line.number, static_cast<std::uint32_t>(next_ + 1));
            s != status::ok) {
            return s;
        }
        const shm::item_kind kind = line.kind;
        tree_ = line.tree;
        if (tree_ >= trees_.size()) {
            return status::failed;  // the root has other settings, which cannot happen: all ranks
                                    // have rank 0's
        }
        const bool inlined = kind == shm::item_kind::inlined;
        const std::uint32_t length = line.length;
        const std::size_t bytes = inlined ? length & 0xffff : length;
        const std::uint64_t announced = inlined ? length >> 16 : line.payload.place.length;
        // An error of the program: the ranks gave different sizes. The message is consumed
        // nevertheless, so that the ranks stay in step.
        if (announced != total) {
            mismatch = true;
            total = announced;
        }
        const status posted = post(root, [&](shm::control_line& next) {
            next.length = length;
            next.kind = kind;
            if (inlined) {
                copy_small(next.payload.bytes, line.payload.bytes, bytes);
            } else {
                next.payload.place = line.payload.place;
            }
        });
        if (posted != status::ok) {
            return posted;
        }
        got += kind == shm::item_kind::direct ? total : bytes;
        if (!mismatch) {
            if (kind == shm::item_kind::direct) {
                if (const status s = receive_direct(line, to, root); s == status::peer_died) {
                    return s;
                }
            } else if (inlined) {
                to.put(reinterpret_cast<std::byte*>(line.payload.bytes), bytes);
            } else {
                take_fragment(to, areas_[root].queue + line.payload.place.where, bytes, total);
            }
        }
        if (hand_back_) {
            // relaxed: the line is there already; the parent writes it again only after it has seen
            // that the item was consumed.
            line.number.value.store(static_cast<std::uint32_t>(next_ + 1),
                                    std::memory_order_relaxed);
        }
        consumed(!inlined);
    }
    return mismatch ? status::truncated : to.result();
}

}  // namespace artel::coll
