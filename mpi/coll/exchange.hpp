// Collectives in which every rank gets data from every other: barrier, reduce, allreduce,
// allgather. Beside the broadcast's rings each rank has some lines and, from the first larger
// message on, pieces of memory on its own NUMA node, that it writes and the others read.
//
// - Round: every rank writes the next of its lines, "round n is there", with up to a kilobyte of
//   payload, and reads the lines of the ranks for which it has to wait. All ranks take part in all
//   rounds of all collectives, in the same order, so that they count alike and nothing is ever
//   reset. A line is written by its owner with one release store; there is no atomic
//   read-modify-write and no shared counter.
// - Piece: larger payloads lie in one of three pieces that are used in turns. A round announces
//   that one is filled.
//
// Cache traffic: a CPU that reads a line that another one has written waits for the transfer, and
// so does one that writes such a line. So the result of a reduction overwrites its operand in the
// piece of a rank that fetches the result and will fill the piece next; in a place of its own it
// took twice as long (docs/mpi-performance.md). For the same reason a payload or piece that all
// ranks read moves on to another rank's area each time its line or piece is reused: its next writer
// then was one of its readers, not its last writer.
//
// When may a line or a piece be written again? A rank that has posted round m has read all that it
// needs of the lines before m. So the writer of round n's line checks that all ranks have posted
// round n - lines_ + 1, which it mostly knows already. For pieces the collective determines after
// which round they are free.
//
// The order of evaluation is a0 op (a1 op (a2 op ...)), in the order of ranks, for every operation,
// every size and on every rank: results of floating-point sums depend neither on the size of the
// message nor on timing.
#pragma once

#include "coll/channel.hpp"
#include "coll/operation.h"

#include <array>

namespace artel::coll {

// The memory of a rank's part of the exchange: the lines, needed at once, and the pieces, reserved
// when first needed.
struct exchange_shape {
    // Small in the models, so that lines and pieces are soon reused. All lines are used only with
    // more ranks than CPUs, where a rank that runs ahead does more in one time slice; otherwise
    // fewer are used, which stay in the caches.
    static constexpr unsigned line_count = base::modelled ? 4 : 64;
    static constexpr unsigned roomy_line_count = base::modelled ? 4 : 8;
    static constexpr unsigned piece_count = 3;
    // The payload inside a line; the rest follows the line. The distance is no power of two, so
    // that lines do not fall into the same cache sets.
    static constexpr std::size_t line_payload = base::modelled ? 64 : 1024;
    static constexpr std::size_t line_stride = sizeof(shm::control_line) + line_payload;

    std::size_t lines, pieces;
    std::size_t bytes() const noexcept { return lines + pieces; }

    static exchange_shape of(const settings& s);
};

class exchange {
public:
    // Reserves the memory of this rank's pieces; returns 0 or an errno. No function: it is already
    // reserved.
    using hook = int (*)(void* context);

    // `areas` is the address of rank 0's part, and those of the others follow. `waiting` is not
    // owned. Used by one thread at a time, as a channel.
    exchange(const party& p, const shm::waiter& waiting, std::byte* areas, hook reserve,
             void* context);

    // Whether messages of this size, in elements of `element` bytes, are possible at all. Pure.
    static bool fits(const settings& s, std::uint64_t bytes, std::size_t element_bytes) noexcept
    {
        return bytes <= line_payload || element_bytes <= s.piece_bytes;
    }
    // Whether this rank has found that another one has died.
    bool has_lost_somebody() const noexcept { return died_; }

    // Whether messages that fit can be exchanged here. Collective; the same answer in all ranks.
    // Reserves the pieces when they are first needed, and tells the other ranks whether this
    // succeeded. Any result but ok means that a rank has died.
    shm::status prepare(std::uint64_t bytes, bool& can) noexcept;

    // The other functions need a prepare() before them. They are collective, wait, and never throw.
    // After peer_died the ranks are out of step, and every further call returns peer_died at once.
    shm::status barrier() noexcept;
    // Returns when rank `first` has called it, whether or not the others have.
    shm::status hear_of(unsigned first) noexcept;
    // `in` may be `out`.
    shm::status allreduce(const void* in, void* out, std::uint64_t bytes,
                          const artel_operation& op) noexcept;
    // `out` is written in rank `root` only.
    shm::status reduce(const void* in, void* out, std::uint64_t bytes, const artel_operation& op,
                       unsigned root) noexcept;
    // `all` gets `bytes` from each rank; `own` may already lie at its place there.
    shm::status allgather(const void* own, std::uint64_t bytes, void* all) noexcept;

private:
    static constexpr unsigned everybody = ~0U;
    static constexpr std::size_t line_payload = exchange_shape::line_payload;
    static constexpr unsigned pieces = exchange_shape::piece_count;

    shm::control_line& line(unsigned rank, std::uint64_t round) const noexcept;
    // The addresses of the rank's payload in a round, and in a piece.
    enum class read_by { one, all };
    std::byte* payload(unsigned rank, std::uint64_t round, std::size_t bytes,
                       read_by who) const noexcept;
    std::byte* piece(unsigned rank, std::uint64_t number) const noexcept;

    // Waits until this rank's next line may be written.
    shm::status open() noexcept;
    // Publishes it, and counts the round.
    void post(std::uint64_t bytes) noexcept;
    shm::status post_empty() noexcept;
    shm::status post_payload(const void* data, std::uint64_t bytes, read_by who) noexcept;
    shm::status wait_for(unsigned rank, std::uint64_t round) noexcept;
    shm::status wait_for_all(std::uint64_t round) noexcept;
    // Waits until all ranks have posted this many rounds; for a rank that has not, until it has
    // posted `more` further ones, which this rank must have posted already.
    shm::status all_have_posted(std::uint64_t rounds, std::uint64_t more = 0) noexcept;
    // Waits until this rank's next piece may be written. The caller then sets by free_after() when
    // it is free again, and moves on to the next piece.
    shm::status open_piece() noexcept { return all_have_posted(free_at_[piece_ % pieces]); }
    void free_after(std::uint64_t rounds) noexcept { free_at_[piece_++ % pieces] = rounds; }
    // Called before a piece that all ranks read is filled: from now on it lies in the next rank's
    // area.
    void turn_piece() noexcept
    {
        unsigned& turned = turned_[piece_ % pieces];
        turned = (turned + 1) % size_;
    }

    // The three ways of reductions. root: the rank that gets the result, or everybody.
    struct reduction;
    shm::status run(const reduction& r) noexcept;
    shm::status in_lines(const reduction& r) noexcept;
    shm::status in_pieces(const reduction& r) noexcept;
    shm::status in_shares(const reduction& r) noexcept;
    shm::status fill_shares(const reduction& r, std::uint64_t from, std::size_t bytes) noexcept;
    void merge_share(const reduction& r, std::uint64_t from, std::size_t bytes,
                     std::uint64_t number) noexcept;
    shm::status take_shares(const reduction& r, std::uint64_t from, std::size_t bytes,
                            std::uint64_t number, std::uint64_t round) noexcept;
    void merge(const artel_operation& op, const void* a, const void* b, void* out,
               std::size_t bytes) noexcept;

    // Copies some bytes of the result to the caller, in a collective that reads and writes `all`
    // bytes of all ranks' buffers together.
    void deliver(std::byte* to, const std::byte* from, std::size_t bytes,
                 std::uint64_t all) const noexcept;
    // Returns the outcome of the collective, and resets it for the next one.
    shm::status outcome() noexcept;

    const shm::waiter& waiting_;
    unsigned rank_, size_;
    unsigned lines_;  // of each rank that are in use
    bool hand_back_;  // a piece has one reader, which hands its cache lines back
    std::byte* areas_;
    std::size_t stride_, lines_bytes_, piece_bytes_;
    std::uint64_t whole_limit_, stream_from_;
    hook reserve_;
    void* context_;

    std::uint64_t round_ = 0;          // the next one
    std::uint64_t piece_ = 0;          // the next one
    std::vector<std::uint64_t> seen_;  // rounds that each rank has posted, as last read
    // each piece may be written again when all ranks have posted this many rounds.
    std::array<std::uint64_t, pieces> free_at_{};
    // by how many areas each piece is turned, modulo ranks. All ranks fill all pieces, so that all
    // have the same number here.
    std::array<unsigned, pieces> turned_{};
    enum class room { unknown, reserved, refused } room_;
    bool failed_ = false, mismatch_ = false;
    bool died_ = false;  // another rank has
};

}  // namespace artel::coll
