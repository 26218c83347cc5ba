// Reductions through lines and pieces: see exchange.hpp. Three ways, by the number of bytes alone:
//
// - Lines, up to a kilobyte: every rank's contribution is in its line, and each rank that wants the
//   result merges all of them.
// - Pieces: the same through pieces, one after the other.
// - Shares: each piece is divided among the ranks. A rank merges its share of everybody's
//   contribution and leaves the result in the place of a neighbour's part of it, where the others
//   fetch it. Two rounds a piece, but each element is merged once. A rank fills its next piece
//   before it fetches, so that it seldom waits.
#include "coll/copy.hpp"
#include "coll/exchange.hpp"
#include "shm/memory.hpp"

#include <algorithm>
#include <numeric>

namespace artel::coll {

using shm::status;

struct exchange::reduction {
    const std::byte* in;
    std::byte* out;
    std::uint64_t bytes;
    const artel_operation& op;
    unsigned root;
    unsigned rank, size;

    bool wanted() const noexcept { return root == everybody || root == rank; }
    // The size of all callers' buffers together.
    std::uint64_t all_bytes() const noexcept
    {
        return (size + (root == everybody ? size : 1)) * bytes;
    }
    read_by readers() const noexcept { return root == everybody ? read_by::all : read_by::one; }

    // The rank whose piece gets the result of a share, over that rank's own operand: a neighbour,
    // so that the result overwrites cache lines that this CPU has.
    unsigned holder(unsigned of) const noexcept { return of + 1 < size ? of + 1 : of - 1; }

    // The part of a piece of `bytes` that a rank merges: whole elements, and no cache line belongs
    // to two shares.
    struct part {
        std::size_t from, bytes;
    };
    part share_of(unsigned of, std::size_t piece) const noexcept
    {
        const std::size_t unit = std::lcm(op.element_bytes, shm::line_size);
        const std::size_t each = shm::round_up((piece + size - 1) / size, unit);
        const std::size_t from = std::min(of * each, piece);
        return {from, std::min(each, piece - from)};
    }
};

namespace {

// Bytes that are merged at a time, so that intermediate results stay in the first-level cache.
constexpr std::size_t block_bytes = 8192;

// Bytes of all other ranks together: for one rank to merge up to this many alone is faster than a
// second round (docs/mpi-performance.md).
constexpr std::uint64_t whole_for_one = 4096;

}  // namespace

status exchange::allreduce(const void* in, void* out, std::uint64_t bytes,
                           const artel_operation& op) noexcept
{
    return run({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), bytes, op,
                everybody, rank_, size_});
}

status exchange::reduce(const void* in, void* out, std::uint64_t bytes, const artel_operation& op,
                        unsigned root) noexcept
{
    return run({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), bytes, op, root,
                rank_, size_});
}

status exchange::run(const reduction& r) noexcept
{
    if (died_) {
        return status::peer_died;
    }
    const std::uint64_t whole = r.root == everybody
                                    ? whole_limit_
                                    : std::max(whole_limit_, whole_for_one / (size_ - 1));
    const status s = r.bytes <= line_payload ? in_lines(r)
                     : r.bytes <= whole      ? in_pieces(r)
                                             : in_shares(r);
    return s == status::ok ? outcome() : s;
}

void exchange::merge(const artel_operation& op, const void* a, const void* b, void* out,
                     std::size_t bytes) noexcept
{
    failed_ = op.merge(&op, a, b, out, bytes / op.element_bytes) != 0 || failed_;
}

status exchange::in_lines(const reduction& r) noexcept
{
    const std::uint64_t round = round_;
    if (const status s = post_payload(r.in, r.bytes, r.readers()); s != status::ok || !r.wanted()) {
        return s;
    }
    const std::byte* right = nullptr;
    for (unsigned n = size_; n-- > 0;) {
        if (n != rank_) {
            if (const status s = wait_for(n, round); s != status::ok) {
                return s;
            }
            mismatch_ = mismatch_ || line(n, round).length != r.bytes;
        }
        const std::byte* const left = payload(n, round, r.bytes, r.readers());
        if (right == nullptr) {
            right = left;
        } else {
            merge(r.op, left, right, r.out, r.bytes);
            right = r.out;
        }
    }
    return status::ok;
}

status exchange::in_pieces(const reduction& r) noexcept
{
    const std::size_t most = piece_bytes_ / r.op.element_bytes * r.op.element_bytes;
    for (std::uint64_t from = 0; from < r.bytes; from += most) {
        const std::size_t bytes = std::min<std::uint64_t>(most, r.bytes - from);
        const std::uint64_t round = round_, number = piece_;
        if (const status s = open_piece(); s != status::ok) {
            return s;
        }
        if (r.readers() == read_by::all) {
            turn_piece();
        }
        copy_to_shared(piece(rank_, number), r.in + from, bytes);
        if (const status s = post_empty(); s != status::ok) {
            return s;
        }
        free_after(round + 2);
        if (!r.wanted()) {
            continue;
        }
        if (const status s = wait_for_all(round); s != status::ok) {
            return s;
        }
        const std::size_t block = std::max(block_bytes / r.op.element_bytes, std::size_t{1}) *
                                  r.op.element_bytes;
        for (std::size_t at = 0; at < bytes; at += block) {
            const std::size_t length = std::min(block, bytes - at);
            const std::byte* right = piece(size_ - 1, number) + at;
            for (unsigned n = size_ - 1; n-- > 0;) {
                merge(r.op, piece(n, number) + at, right, r.out + from + at, length);
                right = r.out + from + at;
            }
            for (unsigned n = 0; n < size_ && hand_back_ && r.readers() == read_by::one; ++n) {
                if (n != rank_) {
                    hand_back(piece(n, number) + at, length);
                }
            }
        }
    }
    return status::ok;
}

status exchange::in_shares(const reduction& r) noexcept
{
    const std::size_t most = piece_bytes_ / r.op.element_bytes * r.op.element_bytes;
    const std::uint64_t first = round_, first_piece = piece_, count = (r.bytes + most - 1) / most;
    const auto length = [&](std::uint64_t i) {
        return static_cast<std::size_t>(std::min<std::uint64_t>(most, r.bytes - i * most));
    };
    if (const status s = fill_shares(r, 0, length(0)); s != status::ok) {
        return s;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        // Piece i is filled in round first + 2 i and merged in the one after that; it is fetched
        // after the next one has been filled, before that is merged.
        free_after(std::min(first + 2 * i + 4, first + 2 * count + 1));
        if (const status s = wait_for_all(first + 2 * i); s != status::ok) {
            return s;
        }
        merge_share(r, i * most, length(i), first_piece + i);
        if (const status s = post_empty(); s != status::ok) {
            return s;
        }
        if (i + 1 < count) {
            if (const status s = fill_shares(r, (i + 1) * most, length(i + 1)); s != status::ok) {
                return s;
            }
        }
        if (r.wanted()) {
            if (const status s = take_shares(r, i * most, length(i), first_piece + i,
                                             first + 2 * i + 1);
                s != status::ok) {
                return s;
            }
        }
    }
    return status::ok;
}

// Copies the elements that other ranks will merge.
status exchange::fill_shares(const reduction& r, std::uint64_t from, std::size_t bytes) noexcept
{
    if (const status s = open_piece(); s != status::ok) {
        return s;
    }
    std::byte* const to = piece(rank_, piece_);
    const auto [own, length] = r.share_of(rank_, bytes);
    if (own > 0) {
        copy_to_shared(to, r.in + from, own);
    }
    if (own + length < bytes) {
        copy_to_shared(to + own + length, r.in + from + own + length, bytes - own - length);
    }
    return post_empty();
}

void exchange::merge_share(const reduction& r, std::uint64_t from, std::size_t bytes,
                           std::uint64_t number) noexcept
{
    const auto [own, length] = r.share_of(rank_, bytes);
    const std::size_t block = std::max(block_bytes / r.op.element_bytes, std::size_t{1}) *
                              r.op.element_bytes;
    for (std::size_t at = own; at < own + length; at += block) {
        const std::size_t n = std::min(block, own + length - at);
        const unsigned holder = r.holder(rank_);
        std::byte* const result = piece(holder, number) + at;
        const auto part = [&](unsigned rank) {
            return rank == rank_ ? r.in + from + at : piece(rank, number) + at;
        };
        const std::byte* right = part(size_ - 1);
        for (unsigned left = size_ - 1; left-- > 0;) {
            // The result overwrites the left rank's operand: this CPU has its cache lines, and they
            // would be expensive to write for another CPU if they had only been read (copy.hpp).
            // Otherwise the place of the final result, once the holder's operand has been merged;
            // before that, a place in this rank's own piece that no other rank uses.
            std::byte* const into = left == 0           ? result
                                    : !r.op.best_into_b ? piece(left, number) + at
                                    : left <= holder    ? result
                                                        : piece(rank_, number) + at;
            merge(r.op, part(left), right, into, n);
            right = into;
        }
        if (r.wanted()) {
            deliver(r.out + from + at, result, n, r.all_bytes());
        }
    }
}

status exchange::take_shares(const reduction& r, std::uint64_t from, std::size_t bytes,
                             std::uint64_t number, std::uint64_t round) noexcept
{
    for (unsigned i = 1; i < size_; ++i) {
        const unsigned n = (rank_ + i) % size_;
        const auto [at, length] = r.share_of(n, bytes);
        if (length == 0) {
            continue;
        }
        if (const status s = wait_for(n, round); s != status::ok) {
            return s;
        }
        deliver(r.out + from + at, piece(r.holder(n), number) + at, length, r.all_bytes());
    }
    return status::ok;
}

}  // namespace artel::coll
