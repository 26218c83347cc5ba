// Worksharing constructs: loops, sections, single, copyprivate, ordered.
//
// Members of a team number the constructs that they meet (position.met); all members count alike,
// because the standard demands that all meet the same constructs in the same order. Construct k
// uses slot k % ring of the team. The first member to arrive opens the slot with a
// compare-and-swap, fills it in and publishes it; the others pay one load. Nobody closes it: each
// member notes in its own cache line how many constructs it has passed, and the member that reuses
// a slot (ring constructs later) checks that all have passed the old one. So a construct costs no
// read-modify-write on shared memory but the opener's and those that hand out iterations. A member
// may be later than the ring is long, while it waits for what others do in later constructs. Those
// constructs get separate slots, which are found by number: detours.
//
// Iterations are handed out in index space, 0 .. count: any 64-bit loop fits, up or down, signed or
// unsigned, and only the translation to the program's values depends on which it is.
//
// Teams of one use no slot: everything is in the member's position.
//
// Rejected: a linked list of constructs that count the members that have left (libgomp's way): two
// contended read-modify-writes per member and construct, and allocation on the way.
#pragma once

#include "base/cpu.hpp"
#include "base/spinlock.hpp"
#include "loop_batch.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

namespace artel::openmp {

struct member;
struct team;
struct doacross;         // doacross.hpp
struct iteration_flags;  // abi/kmp/doacross.cpp
class loop_shares;       // loop_shares.hpp
class ordered_turns;     // ordered_turn.hpp

enum class loop_kind : std::uint8_t {
    static_even,      // one piece per member, sizes differing by at most one
    static_chunked,   // chunks round robin
    dynamic,          // chunks by fetch-and-add
    dynamic_careful,  // as dynamic, where fetch-and-add could wrap around: compare-and-swap
    dynamic_batched,  // chunks in batches, in any order (loop_batch.hpp)
    guided,           // chunks that shrink with what is left
    guided_batched,   // as dynamic_batched
    trapezoidal,      // chunks that shrink linearly: by fetch-and-add
    shared,           // a range for each member, and stealing between them (loop_shares.hpp)
    exhausted,        // in a member's copy only: it had the last piece
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

// Data that members read for each piece. Each member has a copy, because the slot's cache line
// moves between the members with the loop's counter.
struct loop_shape {
    loop_bounds loop;
    std::uint64_t chunk = 1;
    loop_kind kind = loop_kind::dynamic;
    bool ordered = false;
    unsigned sharers = 1;  // batched: members that run iterations at a time
};

// The fields of loop_shape and all non-atomic ones here are written by the member that opens the
// slot, and constant while it is open. They, the stage and the counter share one cache line, the
// only one that the first piece of a short loop needs.
struct alignas(base::cache_line) workshare_slot : loop_shape {
    // 2k+1: construct k is being opened; 2k+2: it is open. Smaller: an older construct, or none.
    std::atomic<std::uint64_t> stage{0};
    // first iteration not yet handed out; batched: batch_counter's.
    std::atomic<std::uint64_t> next{0};
    // static_chunked and batched: number of chunks; trapezoidal: by how much each is smaller than
    // the one before.
    std::uint64_t chunks = 0;
    // written by the member that executed the single; published by the team barrier.
    void* copyprivate = nullptr;
    // scratch memory of the construct (GOMP_loop_start); freed when the slot is reused.
    void* memory = nullptr;
    doacross* cross = nullptr;             // the same
    std::uintptr_t* reductions = nullptr;  // of the member that opened it (task_reduction.cpp)
    loop_shares* shares = nullptr;         // made when first needed, kept
    ordered_turns* turns = nullptr;        // the same
    bool is_detour = false;                // not in the ring; constant

    // Not 0: a member has claimed the last unit (loop_batches.hpp).
    alignas(base::cache_line) std::atomic<std::uint32_t> last_claimed{0};
};

// A member's progress through its team's constructs. Private to the member, except `passed`. The
// loop_shape is that of the loop that the member is in, while `current` is a loop.
struct worksharing_position : loop_shape {
    std::uint64_t met = 0;  // constructs with a slot, over the team's lifetime
    // how many of these this member has left. Read by members that want to reuse a slot.
    std::atomic<std::uint64_t> passed{0};
    // the construct that the member is in; nullptr in a team of one.
    workshare_slot* current = nullptr;
    piece at_hand;  // its current piece; kept for ordered loops only
    // of a loop whose kind is a batched one; its word is taken from by others, too.
    batching batches;
    std::uint64_t trip = 0;  // static loops: pieces taken so far
    // team of one: what next() returns once (loops), or the next section.
    std::uint64_t solo_first = 0;
    std::uint64_t solo_end = 0;             //   and its end (loops), or the number of sections
    iteration_flags* iterations = nullptr;  // of the doacross loop that the member is in
    std::uint64_t solo_step = 0;            //   and its increment (abi/kmp/loop_dispatch.cpp)
    std::uint32_t singles = 0;              // single constructs met
    std::uint32_t reductions = 0;           // met in this region (abi/kmp/reduce.cpp)
    bool solo_pending = false;              // team of one: the range has not been taken yet
    bool holds_piece = false;               // at_hand is valid, and its turn has not been passed on
};

// Whether the member is in a construct with a slot. Not so in a team of one, and in loops that
// compilers divide themselves.
inline bool is_inside(const worksharing_position& p) noexcept
{
    return p.passed.load(std::memory_order_relaxed) != p.met;  // relaxed: its own
}

// The member enters the loop in its position's slot.
inline void enter_loop(worksharing_position& p) noexcept
{
    const workshare_slot& slot = *p.current;
    static_cast<loop_shape&>(p) = slot;
    p.batches.begin(p.met, slot.chunks);
}

struct worksharing_state {
    // how far members may run ahead of each other between barriers without detours.
    static constexpr unsigned ring = base::modelled ? 2 : 32;

    // Read by every member that enters a region; written before the region starts.
    alignas(base::cache_line) std::uint64_t first = 0;  // number of the region's first construct
    std::uint32_t first_single = 0;
    // a combined construct: `first` is already open, and members start inside of it.
    bool preopened = false;
    // cancel parallel: members may have met different numbers of constructs.
    std::atomic<bool> ragged{false};
    // cancel for / cancel sections: set by any member, cleared by the barrier that ends the
    // construct.
    std::atomic<bool> cancelled{false};
    // The last construct with a slot that was cancelled, as position.met is in it; members may
    // still be in an earlier one. Not cleared: no later construct has that number.
    std::atomic<std::uint64_t> cancelled_construct{0};

    // KMP_DETERMINISTIC_REDUCTION: how many parts of reductions were combined in this region, in
    // units of one_part; and whether a construct was cancelled, so that members may leave
    // reductions out.
    static constexpr std::uint32_t out_of_order = 1;
    static constexpr std::uint32_t one_part = 2;
    std::atomic<std::uint32_t> combined{0};

    // single constructs that have been claimed.
    alignas(base::cache_line) std::atomic<std::uint32_t> singles{0};
    // lower bound of the number of constructs that all members have passed.
    std::atomic<std::uint64_t> all_passed{0};
    // how many detours there are, or one more: see make_detour (construct.cpp).
    std::atomic<unsigned> detours{0};
    base::spinlock detours_lock;
    // by the construct's number; under the lock
    std::map<std::uint64_t, workshare_slot> detour_of;
    unsigned members_seen = 0;  // size of the last region
    // memory of a cancelled region (from malloc) that other members may still use; freed before the
    // next region, or with the team. Touched by member 0 only.
    std::vector<void*> left_behind;
    std::array<workshare_slot, ring> slots;

    worksharing_state() = default;
    worksharing_state(const worksharing_state&) = delete;
    worksharing_state& operator=(const worksharing_state&) = delete;
    ~worksharing_state();  // frees what the slots own, and left_behind

    void free_left_behind() noexcept;

    // Called by the member that arrives last at a team barrier, before it releases the others.
    void barrier_reached() noexcept
    {
        // relaxed: ordered by the barrier: cancelling members arrived before, and the release
        // publishes the store.
        if (cancelled.load(std::memory_order_relaxed)) {
            cancelled.store(false, std::memory_order_relaxed);
        }
    }
};

// Does not write a value that is there already. Members read these fields at the start of every
// region, and their cached copies stay valid.
template <class T>
inline void set_if_changed(T& where, T value) noexcept
{
    if (where != value) {
        where = value;
    }
}

}  // namespace artel::openmp
