// The direct half of lines_channel (lines.hpp): messages that the kernel copies between address
// spaces.
//
// Each receiver divides the message into chunks and takes them from the front by a cursor in its
// area; the root, when there are CPUs enough, takes chunks by the same cursor and writes them into
// the receiver's buffer. The cursor includes the item's number: a root that is late by a message
// finds another number and takes nothing.
#include "base/cpu.hpp"
#include "coll/lines.hpp"

#include <algorithm>

namespace artel::coll {
namespace {

using shm::status;

std::uint64_t chunk_of(std::uint64_t bytes)
{
    return std::clamp<std::uint64_t>(shm::round_up(bytes / 8, 4096), std::uint64_t{32} << 10,
                                     std::uint64_t{1} << 20);
}

// The next free chunk of item `number`; `chunks` when there is none, or when the cursor is of
// another item.
std::uint32_t claim(std::atomic<std::uint64_t>& cursor, std::uint32_t number,
                    std::uint32_t chunks) noexcept
{
    // acquire, both: pairs with the release of the receiver that opened the cursor, so that its
    // address is seen.
    std::uint64_t seen = cursor.load(std::memory_order_acquire);
    for (;;) {
        const auto chunk = static_cast<std::uint32_t>(seen);
        if (seen >> 32 != number || chunk >= chunks) {
            return chunks;
        }
        // relaxed on success: claiming publishes nothing, `finished` does.
        if (cursor.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed,
                                         std::memory_order_acquire)) {
            return chunk;
        }
    }
}

}  // namespace

status lines_channel::send_direct(const artel_message& m) noexcept
{
    const status s = post(rank_, [&](shm::control_line& line) {
        line.length = static_cast<std::uint32_t>(m.bytes);
        line.kind = shm::item_kind::direct;
        line.payload.place.where = reinterpret_cast<std::uintptr_t>(m.data);
        line.payload.place.length = m.bytes;
    });
    if (s != status::ok) {
        return s;
    }
    // relaxed: as in send_inlined.
    areas_[rank_].ring[next_ & mask_].number.value.store(static_cast<std::uint32_t>(next_ + 1),
                                                         std::memory_order_relaxed);
    if (!crowded_ && chosen_.helping != 0) {
        if (const status helped = help(m.bytes, static_cast<const std::byte*>(m.data));
            helped != status::ok) {
            return helped;
        }
    }
    // The caller may have its buffer back only when all readers are done with it.
    const status all = wait_for_all(next_ + 1);
    consumed(true);
    return all;
}

bool lines_channel::help_once(unsigned rank, std::uint64_t bytes, const std::byte* data) noexcept
{
    direct_line& line = *areas_[rank].direct;
    const auto number = static_cast<std::uint32_t>(next_ + 1);
    // acquire: pairs with the receiver's publish: address and cursor are this item's. Compared for
    // equality: it may be any older number.
    if (line.open.value.load(std::memory_order_acquire) != number) {
        return false;
    }
    const std::uint64_t size = chunk_of(bytes);
    const auto chunks = static_cast<std::uint32_t>((bytes + size - 1) / size);
    const std::uint32_t chunk = claim(line.cursor, number, chunks);
    if (chunk == chunks) {
        return false;
    }
    const std::uint64_t from = chunk * size;
    if (shm::copy_to_process(members_[rank].pid, line.address + from, data + from,
                             std::min(size, bytes - from)) != 0) {
        // relaxed: finished.add() publishes it.
        line.returned.store(chunk + 1, std::memory_order_relaxed);
        direct_ = false;  // we help no more with this item; the receiver will meet the error itself
    }
    line.finished.add();
    return true;
}

status lines_channel::help(std::uint64_t bytes, const std::byte* data) noexcept
{
    const auto number = static_cast<std::uint32_t>(next_ + 1);
    for (unsigned round = 0;;) {
        bool all_done = true, worked = false;
        for (unsigned r = 0; r < size_; ++r) {
            if (r == rank_ || areas_[r].counter->done.reached(number)) {
                continue;
            }
            all_done = false;
            worked = (direct_ && help_once(r, bytes, data)) || worked;
        }
        if (all_done) {
            return status::ok;
        }
        // There has been nothing to take for a while: the caller then waits for one rank after the
        // other, asleep if necessary.
        if (!worked && ++round > 2000) {
            return status::ok;
        }
        if (!worked) {
            base::cpu_relax();
        }
    }
}

bool lines_channel::lives(unsigned rank) const noexcept
{
    const member& m = members_[rank];
    return m.pid == 0 || !shm::has_ended(m.pid, m.start);
}

status lines_channel::receive_direct(const shm::control_line& item, rest& to,
                                     unsigned root) noexcept
{
    const std::uint64_t bytes = item.payload.place.length;
    const std::uint64_t from = item.payload.place.where;
    const pid_t pid = members_[root].pid;
    const std::uint64_t size = chunk_of(bytes);
    std::byte* const into = to.place();
    if (into == nullptr) {
        // The layout differs here: unpacked by way of the rank's own queue, which is unused while
        // another rank is the root.
        for (std::uint64_t got = 0; got < bytes; got += set_bytes_) {
            const std::uint64_t piece = std::min<std::uint64_t>(set_bytes_, bytes - got);
            std::size_t offset = 0;
            if (const status s = take_queue(piece, offset); s != status::ok) {
                return s;
            }
            if (shm::copy_from_process(pid, areas_[rank_].queue + offset, from + got, piece) != 0) {
                to.fail();
            }
            to.put(areas_[rank_].queue + offset, piece);
        }
        return has_given_up(root) ? status::peer_died : status::ok;
    }
    direct_line& line = *areas_[rank_].direct;
    const auto number = static_cast<std::uint32_t>(next_ + 1);
    const auto chunks = static_cast<std::uint32_t>((bytes + size - 1) / size);
    line.address = reinterpret_cast<std::uintptr_t>(into);
    // relaxed, all three: published by the two stores below, before which no rank takes chunks.
    line.finished.value.store(0, std::memory_order_relaxed);
    line.returned.store(0, std::memory_order_relaxed);
    // release: pairs with the acquire in claim.
    line.cursor.store(std::uint64_t{number} << 32, std::memory_order_release);
    line.open.publish(number);
    bool failed = false;
    for (std::uint32_t chunk = claim(line.cursor, number, chunks); chunk != chunks;
         chunk = claim(line.cursor, number, chunks)) {
        const std::uint64_t at = chunk * size;
        failed = shm::copy_from_process(pid, into + at, from + at, std::min(size, bytes - at)) !=
                     0 ||
                 failed;
        line.finished.add();
    }
    // Whichever rank has died: as long as the root lives it may still write the chunks that it has
    // claimed.
    for (status s = status::peer_died; s != status::ok;) {
        s = waiting_.wait(line.finished, chunks);
        if (s != status::ok && !lives(root)) {
            return s;
        }
    }
    // relaxed: ordered by the acquire of the wait.
    if (const std::uint32_t returned = line.returned.load(std::memory_order_relaxed);
        returned != 0) {
        const std::uint64_t at = (returned - 1) * size;
        failed = shm::copy_from_process(pid, into + at, from + at, std::min(size, bytes - at)) !=
                     0 ||
                 failed;
    }
    to.skip(bytes);
    if (has_given_up(root)) {
        return status::peer_died;
    }
    if (failed) {
        to.fail();
    }
    return status::ok;
}

}  // namespace artel::coll
