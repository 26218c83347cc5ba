// The part of lines_channel (lines.hpp) that sends messages through the root's queue, in fragments.
// The root uses the sets of its queue in turns, and reuses one only when all ranks have consumed
// what it held.
#include "coll/copy.hpp"
#include "coll/lines.hpp"

#include <algorithm>

namespace artel::coll {
namespace {

using shm::status;

}  // namespace

status lines_channel::take_queue(std::size_t bytes, std::size_t& offset) noexcept
{
    const std::size_t whole = shm::round_up(bytes, shm::line_size);
    if (used_ + whole > set_bytes_) {
        free_after_[set_] = sent_;
        set_ = (set_ + 1) % free_after_.size();
        used_ = 0;
        // Items older than this need no check, since a rank is at most a ring behind its parent;
        // and the counters' 32 bits would not suffice for their numbers.
        const std::uint64_t oldest = next_ - std::min<std::uint64_t>(
                                                 next_, std::uint64_t{size_ + 1} * (mask_ + 1));
        if (free_after_[set_] > oldest) {
            if (const status s = wait_for_all(free_after_[set_]); s != status::ok) {
                return s;
            }
        }
    }
    offset = set_ * set_bytes_ + used_;
    used_ += whole;
    return status::ok;
}

status lines_channel::send_fragments(const artel_message& m) noexcept
{
    std::size_t fragment = chosen_.fragment;
    if (fragment == 0) {
        fragment = best_fragment_in_pages(times_, chosen_.queue_bytes, chosen_.sets, m.bytes,
                                          shm::page_size());
    }
    fragment = std::min(fragment, set_bytes_);
    rest from(m);
    while (from.left() > 0) {
        const std::size_t bytes = std::min<std::uint64_t>(from.left(), fragment);
        std::size_t offset = 0;
        if (const status s = take_queue(bytes, offset); s != status::ok) {
            return s;
        }
        from.take(areas_[rank_].queue + offset, bytes);
        const status s = post(rank_, [&](shm::control_line& line) {
            line.length = static_cast<std::uint32_t>(bytes);
            line.kind = shm::item_kind::fragment;
            line.payload.place.where = offset;
            line.payload.place.length = m.bytes;
        });
        if (s != status::ok) {
            return s;
        }
        // relaxed: as in send_inlined.
        areas_[rank_].ring[next_ & mask_].number.value.store(static_cast<std::uint32_t>(next_ + 1),
                                                             std::memory_order_relaxed);
        consumed(false);
        sent_ = next_;
    }
    return from.result();
}

// Takes the next bytes of a message of `total` bytes out of the root's queue.
void lines_channel::take_fragment(rest& to, std::byte* fragment, std::size_t bytes,
                                  std::uint64_t total) noexcept
{
    if (to.place() == nullptr) {
        to.put(fragment, bytes);  // unpacked
    } else {
        deliver_from_shared(to.place(), fragment, bytes, total, chosen_.stream_from);
        to.skip(bytes);
    }
    if (hand_back_) {
        coll::hand_back(fragment, bytes);
    }
}

}  // namespace artel::coll
