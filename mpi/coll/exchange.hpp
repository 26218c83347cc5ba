// Collectives in which every rank hears of every other: barrier, reduce, allreduce, allgather.
// Beside the broadcast's rings each rank has some lines and, from the first larger message on,
// pieces of memory on its own NUMA node, that it writes and the others read.
//
// - Round: every rank writes the next of its lines, "round n is there", with up to a kilobyte of
//   payload, and looks at the lines of those that it has to hear of. All ranks take part in all
//   rounds of all collectives, in the same order, so that they count alike and nothing is ever
//   reset. A line is written by its owner with one release store; there is no atomic
//   read-modify-write and no shared counter.
// - Piece: larger payloads lie in one of three pieces that are used in turns. A round says that one
//   is filled.
//
// Whose cache the bytes are in: a CPU that reads what another one has written, and one that writes
// what another one has, both wait for the way between the two. So the result of a reduction takes
// the place of what it was made of, in the piece of a rank that fetches it and will fill it next;
// in a place of its own it took twice as long (docs/mpi-performance.md). For the same reason a
// payload or piece that everybody reads is turned: it lies in another rank's area each time that
// the same line or piece comes again, so that its writer was not the last to write there but among
// those who read.
//
// When may a line or a piece be written again? A rank that has posted round m has read all that it
// wanted of the lines before m. So whoever writes the line of round n looks whether all have posted
// round n - lines_ + 1, which mostly is known from before. For pieces the collective says after
// which round it is so.
//
// The order of evaluation is a0 op (a1 op (a2 op ...)), in the order of ranks, for every operation,
// every size and on every rank: results of floating-point sums do not depend on the size of the
// message nor on who is late.
#pragma once

#include "coll/channel.hpp"
#include "coll/operation.h"

#include <array>

namespace artel::coll {

// What a rank's part of the exchange takes: the lines, needed at once, and the pieces, reserved
// when they are first needed.
struct exchange_shape {
    // Small in the models, so that their ends are reached soon. All are used with more ranks than
    // CPUs only, where who runs ahead does more in one turn on the CPU; otherwise fewer stay in the
    // caches better.
    static constexpr unsigned line_count = base::modelled ? 4 : 64;
    static constexpr unsigned roomy_line_count = base::modelled ? 4 : 8;
    static constexpr unsigned piece_count = 3;
    // Of a line; what does not fit into the line itself follows it. The distance is no power of
    // two, so that lines do not fall into the same cache sets.
    static constexpr std::size_t line_payload = base::modelled ? 64 : 1024;
    static constexpr std::size_t line_stride = sizeof(shm::control_line) + line_payload;

    std::size_t lines, pieces;
    std::size_t bytes() const noexcept { return lines + pieces; }

    static exchange_shape of(const settings& s);
};

class exchange {
public:
    // Reserves the memory of this rank's pieces; 0, or an errno. No function: it is reserved.
    using hook = int (*)(void* context);

    // `areas` is where rank 0's part begins, those of the others follow. `waiting` is not owned.
    // One thread at a time, as a channel.
    exchange(const party& p, const shm::waiter& waiting, std::byte* areas, hook reserve,
             void* context);

    // Whether messages of so many bytes, in elements of that size, can be done at all. Pure.
    static bool fits(const settings& s, std::uint64_t bytes, std::size_t element_bytes) noexcept
    {
        return bytes <= line_payload || element_bytes <= s.piece_bytes;
    }
    // Whether somebody has died, as far as this rank has found.
    bool has_lost_somebody() const noexcept { return died_; }

    // Whether those that fit can be done here: the same answer in all ranks, who all ask. The first
    // time that pieces are needed they are reserved, and the ranks tell each other how that went.
    // Anything but ok: somebody has died.
    shm::status prepare(std::uint64_t bytes, bool& can) noexcept;

    // The rest needs prepare() before. Collective, waits, never throws. After peer_died the ranks
    // are out of step, and every further call says the same at once.
    shm::status barrier() noexcept;
    // Ends when rank `first` has called it; the others need not have.
    shm::status hear_of(unsigned first) noexcept;
    // `in` may be `out`.
    shm::status allreduce(const void* in, void* out, std::uint64_t bytes,
                          const artel_operation& op) noexcept;
    // `out` is written in rank `root` only.
    shm::status reduce(const void* in, void* out, std::uint64_t bytes, const artel_operation& op,
                       unsigned root) noexcept;
    // `all` gets `bytes` of each rank; `own` may lie at its place there.
    shm::status allgather(const void* own, std::uint64_t bytes, void* all) noexcept;

private:
    static constexpr unsigned everybody = ~0U;
    static constexpr std::size_t line_payload = exchange_shape::line_payload;
    static constexpr unsigned pieces = exchange_shape::piece_count;

    shm::control_line& line(unsigned rank, std::uint64_t round) const noexcept;
    // Where the rank's bytes of a round, and of a piece, are.
    enum class read_by { one, all };
    std::byte* payload(unsigned rank, std::uint64_t round, std::size_t bytes,
                       read_by who) const noexcept;
    std::byte* piece(unsigned rank, std::uint64_t number) const noexcept;

    // Waits until this rank's next line may be written.
    shm::status open() noexcept;
    // Publishes it, and counts.
    void post(std::uint64_t bytes) noexcept;
    shm::status post_empty() noexcept;
    shm::status post_payload(const void* data, std::uint64_t bytes, read_by who) noexcept;
    shm::status wait_for(unsigned rank, std::uint64_t round) noexcept;
    shm::status wait_for_all(std::uint64_t round) noexcept;
    // Waits until everybody has posted so many rounds. Who has not yet is waited for until it has
    // posted some more, which must have begun here already.
    shm::status all_have_posted(std::uint64_t rounds, std::uint64_t more = 0) noexcept;
    // Waits until this rank's next piece may be written; the caller then says with free_after()
    // when it may be again, and so goes on to the next one.
    shm::status open_piece() noexcept { return all_have_posted(free_at_[piece_ % pieces]); }
    void free_after(std::uint64_t rounds) noexcept { free_at_[piece_++ % pieces] = rounds; }
    // Before a piece is filled that goes to all: from now on it lies in the next rank's area.
    void turn_piece() noexcept
    {
        unsigned& turned = turned_[piece_ % pieces];
        turned = (turned + 1) % size_;
    }

    // The three ways of reductions; root: everybody, or the rank that wants the result.
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

    // Hands the caller some bytes of the result of a collective that reads and writes `all` bytes
    // of the ranks' buffers, of all of them together.
    void deliver(std::byte* to, const std::byte* from, std::size_t bytes,
                 std::uint64_t all) const noexcept;
    // How the collective went; for the next one everything is well again.
    shm::status outcome() noexcept;

    const shm::waiter& waiting_;
    unsigned rank_, size_;
    unsigned lines_;  // of each rank that are in use
    bool hand_back_;  // the one reader of a piece, its cache lines
    std::byte* areas_;
    std::size_t stride_, lines_bytes_, piece_bytes_;
    std::uint64_t whole_limit_, stream_from_;
    hook reserve_;
    void* context_;

    std::uint64_t round_ = 0;          // the next one
    std::uint64_t piece_ = 0;          // the next one
    std::vector<std::uint64_t> seen_;  // rounds that each rank has posted, as last seen
    // each piece may be written again when all ranks have posted so many rounds.
    std::array<std::uint64_t, pieces> free_at_{};
    // by how many areas each piece is turned, modulo ranks. All ranks fill all pieces, so that all
    // have the same number here.
    std::array<unsigned, pieces> turned_{};
    enum class room { unknown, reserved, refused } room_;
    bool failed_ = false, mismatch_ = false;
    bool died_ = false;  // somebody
};

}  // namespace artel::coll
