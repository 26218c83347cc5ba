// Worksharing constructs: loops, sections, single, copyprivate, ordered.
//
// Members of a team number the constructs that they meet (position.met), which is the same
// numbering for all of them because the standard demands that all meet the same ones in the same
// order. Construct k lives in slot k % ring of the team. Whoever comes first opens the slot with a
// compare-and-swap, fills it in and publishes it; the others pay one load. Nobody closes it: a
// member only notes in its own line how many constructs it has passed, and who wants to reuse a
// slot (ring constructs later) looks whether all have passed the old one. So a construct costs no
// read-modify-write on shared memory besides the first one's and those that hand out iterations.
//
// Iterations are handed out in index space, 0 .. count: any loop of 64 bits fits, up or down,
// signed or not, and only the translation to the program's values knows which it was.
//
// Teams of one use no slot: everything is in the member's position.
//
// Rejected: a linked list of constructs with counters of those who left (libgomp's way): two
// contended read-modify-writes per member and construct, and memory management in the middle.
#pragma once

#include "base/cpu.hpp"
#include "loop_batch.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace artel::openmp {

struct member;
struct team;
struct doacross;         // doacross.hpp
struct iteration_flags;  // abi/kmp/doacross.cpp
class loop_shares;       // loop_shares.hpp

enum class loop_kind : std::uint8_t {
    static_even,      // one piece per member, sizes differing by at most one
    static_chunked,   // chunks round robin
    dynamic,          // chunks by fetch-and-add
    dynamic_careful,  // as dynamic, where fetch-and-add could wrap around: compare-and-swap
    dynamic_batched,  // chunks in batches, in any order (loop_batch.hpp)
    guided,           // shrinking chunks
    guided_batched,   // as dynamic_batched
    trapezoidal,      // chunks that shrink by the same amount each: by fetch-and-add
    shared,           // a range for everybody, who take from each other (loop_shares.hpp)
    exhausted,        // of a member's copy only: it had the last piece
};

// A loop as the ABI describes it, in unsigned arithmetic modulo 2^64.
struct loop_bounds {
    std::uint64_t first = 0;
    std::uint64_t end = 0;        // exclusive, in the direction of the increment
    std::uint64_t increment = 1;  // two's complement when it counts down
    std::uint64_t count = 0;      // iterations
};

// Iterations [low, high) in index space.
struct piece {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

// What the members of a loop read for each piece: each has a copy, since the line of the slot's
// goes to and fro with the loop's counter.
struct loop_shape {
    loop_bounds loop;
    std::uint64_t chunk = 1;
    loop_kind kind = loop_kind::dynamic;
    bool ordered = false;
    unsigned sharers = 1;  // batched: members that are at work at a time
};

// The fields of loop_shape are written by who opens the slot, and constant while it is open, as
// those that are no atomics here. They, the stage and the counter are in one line: all that the
// first piece of a short loop costs a member.
struct alignas(base::cache_line) workshare_slot : loop_shape {
    // 2k+1: construct k is being opened; 2k+2: it is open. Smaller: an older construct, or none.
    std::atomic<std::uint64_t> stage{0};
    // first iteration not yet handed out; batched: batch_counter's.
    std::atomic<std::uint64_t> next{0};
    std::uint64_t
        // static_chunked and batched: how many there are; trapezoidal: how much smaller each is
        // than the one before.
        chunks = 0;
    // written by the one that executed the single; published by the team barrier.
    void* copyprivate = nullptr;
    // what the construct asked for (GOMP_loop_start); freed when the slot is used again.
    void* memory = nullptr;
    doacross* cross = nullptr;             // the same
    std::uintptr_t* reductions = nullptr;  // of the member that opened it (task_reduction.cpp)
    loop_shares* shares = nullptr;         // made when first needed, kept

    // ordered: the index at which the piece begins whose turn it is
    alignas(base::cache_line) std::atomic<std::uint64_t> turn{0};
    // ordered: where members wait for theirs, by hash of the index.
    std::array<std::atomic<std::uint32_t>, 16> turn_words{};
};

// A member's place among the constructs of its team. Own to the member, except `passed`. As a
// loop_shape: the loop that the member is in, while `current` is one.
struct worksharing_position : loop_shape {
    std::uint64_t met = 0;  // constructs with a slot, this team's whole life long
    // of these, how many this member has left. Read by who wants to reuse a slot.
    std::atomic<std::uint64_t> passed{0};
    // the construct that the member is in; nullptr in a team of one.
    workshare_slot* current = nullptr;
    piece at_hand;  // the piece it works on; kept for ordered loops only
    // of a loop whose kind is a batched one; its word is taken from by others, too.
    batching batches;
    std::uint64_t trip = 0;  // static loops: pieces taken so far
    // team of one: what next() returns once (loops), or the next section.
    std::uint64_t solo_first = 0;
    std::uint64_t solo_end = 0;             //   and its end (loops), or the number of sections
    iteration_flags* iterations = nullptr;  // of the doacross loop that the member is in
    std::uint64_t solo_step = 0;            //   and its increment (abi/kmp/loop_dispatch.cpp)
    std::uint32_t singles = 0;              // single constructs met
    bool solo_pending = false;              // team of one: the range has not been taken yet
    bool holds_piece = false;               // at_hand is valid and has not been passed on
    std::uint32_t lock_identity = 0;        // owner's number in old nestable locks (locks.cpp)
};

// The member has come to the loop in its position's slot.
inline void enter_loop(worksharing_position& p) noexcept
{
    const workshare_slot& slot = *p.current;
    static_cast<loop_shape&>(p) = slot;
    p.batches.begin(p.met, slot.chunks);
}

struct worksharing_state {
    // how far members may run ahead of each other between barriers.
    static constexpr unsigned ring = base::modelled ? 2 : 32;

    // What every member reads when it enters a region; written before it starts.
    alignas(base::cache_line) std::uint64_t first = 0;  // number of the region's first construct
    std::uint32_t first_single = 0;
    // a combined construct: `first` is open already, and members are in it when they start.
    bool preopened = false;
    // cancel parallel: members may have met different numbers of constructs in this region.
    std::atomic<bool> ragged{false};
    // cancel for / cancel sections: set by any member, cleared by the barrier that ends the
    // construct.
    std::atomic<bool> cancelled{false};

    // single constructs that have been claimed.
    alignas(base::cache_line) std::atomic<std::uint32_t> singles{0};
    // at least so many constructs have been passed by all members.
    std::atomic<std::uint64_t> all_passed{0};
    unsigned members_seen = 0;  // size of the last region
    // what a cancelled region has left that others of it may still use, from malloc; freed before
    // the next one, or with the team. Member 0's.
    std::vector<void*> left_behind;
    std::array<workshare_slot, ring> slots;

    worksharing_state() = default;
    worksharing_state(const worksharing_state&) = delete;
    worksharing_state& operator=(const worksharing_state&) = delete;
    ~worksharing_state();  // frees what the slots own, and what was left behind

    void free_left_behind() noexcept;

    // The last to arrive at a team barrier calls it before it lets the others go.
    void barrier_reached() noexcept
    {
        // relaxed: cancelling members arrived before, through the barrier's own order; the store is
        // published by the barrier's release.
        if (cancelled.load(std::memory_order_relaxed)) {
            cancelled.store(false, std::memory_order_relaxed);
        }
    }
};

// Members keep copies of what they read at the start of every region: what is as it was is not
// written, so that these copies stay good.
template <class T>
inline void set_if_changed(T& where, T value) noexcept
{
    if (where != value) {
        where = value;
    }
}

}  // namespace artel::openmp
