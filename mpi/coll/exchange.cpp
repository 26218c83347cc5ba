// Rounds and pieces, and the collectives that need nothing else (barrier, hear_of): where lines,
// payloads and pieces lie, and the waits before they are written or read. Reductions are in
// exchange_reduce.cpp, the allgather in exchange_gather.cpp.
#include "coll/exchange.hpp"

#include "coll/copy.hpp"
#include "shm/memory.hpp"

#include <algorithm>

namespace artel::coll {
using shm::status;

namespace {

// With more ranks than CPUs every round costs context switches, which take longer than processing
// this many bytes.
constexpr std::uint64_t crowded_whole_limit = 8192;

// Collectives bypass the caches from this many times the size at which a broadcast does. In a
// broadcast the root's copying takes longest anyway. Here all ranks wait for the copies, so
// bypassing must gain more: the data must be too large for the caches (docs/mpi-performance.md).
constexpr std::uint64_t stream_factor = 7;

}  // namespace

exchange_shape exchange_shape::of(const settings& s)
{
    const std::size_t page = shm::page_size();
    const std::size_t unit = s.huge != 0 ? std::size_t{2} << 20 : page;
    exchange_shape shape{};
    shape.lines = shm::round_up(line_count * line_stride, page);
    shape.pieces = shm::round_up(shape.lines + piece_count * shm::round_up(s.piece_bytes, page),
                                 unit) -
                   shape.lines;
    return shape;
}

exchange::exchange(const party& p, const shm::waiter& waiting, std::byte* areas, hook reserve,
                   void* context)
    : waiting_(waiting), rank_(p.rank), size_(static_cast<unsigned>(p.members.size())),
      lines_(p.crowded ? exchange_shape::line_count : exchange_shape::roomy_line_count),
      hand_back_(p.times.hand_back), areas_(areas), stride_(exchange_shape::of(p.chosen).bytes()),
      lines_bytes_(exchange_shape::of(p.chosen).lines),
      piece_bytes_(shm::round_up(p.chosen.piece_bytes, shm::page_size())),
      whole_limit_(p.chosen.whole_limit != 0 ? p.chosen.whole_limit
                   : p.crowded               ? crowded_whole_limit
                                             : 0),
      stream_from_(stream_factor * p.chosen.stream_from), reserve_(reserve), context_(context),
      seen_(size_, 0), room_(reserve == nullptr ? room::reserved : room::unknown)
{}

shm::control_line& exchange::line(unsigned rank, std::uint64_t round) const noexcept
{
    return *reinterpret_cast<shm::control_line*>(areas_ + rank * stride_ +
                                                 round % lines_ * exchange_shape::line_stride);
}

std::byte* exchange::payload(unsigned rank, std::uint64_t round, std::size_t bytes,
                             read_by who) const noexcept
{
    if (bytes <= shm::inline_bytes) {
        return reinterpret_cast<std::byte*>(line(rank, round).payload.bytes);
    }
    const std::uint64_t turned = who == read_by::all ? round / lines_ : 0;
    return reinterpret_cast<std::byte*>(
        &line(static_cast<unsigned>((rank + turned) % size_), round) + 1);
}

std::byte* exchange::piece(unsigned rank, std::uint64_t number) const noexcept
{
    const std::uint64_t place = number % pieces;
    return areas_ + (rank + turned_[place]) % size_ * stride_ + lines_bytes_ + place * piece_bytes_;
}

status exchange::wait_for(unsigned rank, std::uint64_t round) noexcept
{
    const status s = waiting_.wait(line(rank, round).number, static_cast<std::uint32_t>(round + 1));
    if (s == status::ok) {
        seen_[rank] = std::max(seen_[rank], round + 1);
    }
    died_ = died_ || s == status::peer_died;
    return s;
}

status exchange::wait_for_all(std::uint64_t round) noexcept
{
    for (unsigned r = 0; r < size_; ++r) {
        if (r != rank_ && seen_[r] <= round) {
            if (const status s = wait_for(r, round); s != status::ok) {
                return s;
            }
        }
    }
    return status::ok;
}

status exchange::all_have_posted(std::uint64_t rounds, std::uint64_t more) noexcept
{
    for (unsigned r = 0; r < size_; ++r) {
        if (r != rank_ && seen_[r] < rounds) {
            if (const status s = wait_for(r, rounds + more - 1); s != status::ok) {
                return s;
            }
        }
    }
    return status::ok;
}

status exchange::open() noexcept
{
    // A rank that is as far ahead as it may be waits until the others have posted half of the
    // lines, so that it does not have to check their lines again for each of its own.
    return round_ < lines_ ? status::ok : all_have_posted(round_ - lines_ + 2, lines_ / 2 - 1);
}

void exchange::post(std::uint64_t bytes) noexcept
{
    shm::control_line& own = line(rank_, round_);
    own.length = static_cast<std::uint32_t>(bytes);
    ++round_;
    own.number.publish(static_cast<std::uint32_t>(round_));
}

status exchange::post_empty() noexcept
{
    const status s = open();
    if (s == status::ok) {
        post(0);
    }
    return s;
}

status exchange::post_payload(const void* data, std::uint64_t bytes, read_by who) noexcept
{
    const status s = open();
    if (s == status::ok) {
        copy_to_shared(payload(rank_, round_, bytes, who), data, bytes);
        post(bytes);
    }
    return s;
}

status exchange::prepare(std::uint64_t bytes, bool& can) noexcept
{
    can = true;
    if (bytes <= line_payload) {
        return status::ok;
    }
    if (died_) {
        return status::peer_died;
    }
    if (room_ == room::unknown) {
        // Gathers the errno of every rank, so that all know whether one of them failed.
        const std::uint64_t own = static_cast<std::uint64_t>(reserve_(context_));
        room_ = own == 0 ? room::reserved : room::refused;
        const std::uint64_t round = round_;
        if (const status s = post_payload(&own, sizeof own, read_by::all); s != status::ok) {
            return s;
        }
        if (const status s = wait_for_all(round); s != status::ok) {
            return s;
        }
        for (unsigned r = 0; r < size_; ++r) {
            std::uint64_t told = 0;
            copy_from_shared(&told, payload(r, round, sizeof told, read_by::all), sizeof told);
            room_ = told == 0 ? room_ : room::refused;
        }
    }
    can = room_ == room::reserved;
    return status::ok;
}

status exchange::barrier() noexcept
{
    if (died_) {
        return status::peer_died;
    }
    const std::uint64_t round = round_;
    const status s = post_empty();
    return s == status::ok ? wait_for_all(round) : s;
}

status exchange::hear_of(unsigned first) noexcept
{
    if (died_) {
        return status::peer_died;
    }
    const std::uint64_t round = round_;
    const status s = post_empty();
    return s == status::ok && first != rank_ ? wait_for(first, round) : s;
}

void exchange::deliver(std::byte* to, const std::byte* from, std::size_t bytes,
                       std::uint64_t all) const noexcept
{
    deliver_from_shared(to, from, bytes, all, stream_from_);
}

status exchange::outcome() noexcept
{
    const status s = failed_ ? status::failed : mismatch_ ? status::truncated : status::ok;
    failed_ = mismatch_ = false;
    return s;
}

}  // namespace artel::coll
