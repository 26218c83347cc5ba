// A loop while it runs: the shares of its iterations, who takes part, and its end.
//
// Slots. The iterations, in at most 2^31 units, are dealt out to one slot per participant: each a range [first, last) packed in one atomic word,
// on a cache line of its own. The owner takes units from the front, thieves the back half, both by compare-and-swap. The word is the slot's whole
// state, so a CAS that succeeds late is right all the same (no ABA problem). Only the owner of a slot, and only when it is empty, puts units
// into it. A slot is taken by its designated worker or by somebody who came by chance; whoever has taken it is the participant of that number.
//
// Life. A descriptor comes from a pool and is counted: the caller holds one reference, each ticket (work in some queue that says "take part") one.
// A ticket may be taken long after the loop's end; it then finds the loop closed and drops its reference. So the caller never waits for
// tickets, only for participants: enter() and leave() count those, and close() makes sure that no more come. The body and its context live in
// the caller's frame and are used between enter() and leave() only.
//
// No iteration is lost: the caller closes the loop when it has found all slots empty. Units are then in no slot, except those that a thief
// has just taken out of one and not yet put into its own; that thief is a participant, and will run them before it leaves.
//
// Rejected: a descriptor on the caller's stack. Tickets in inboxes cannot be withdrawn, so every loop would end only after the slowest worker
// that was asked, one time slice of the kernel in the worst case, has looked at its mail.
#pragma once

#include "base/cpu.hpp"
#include "base/work.hpp"
#include "loop/loop.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

namespace artel::loop {

// [first, last) in units.
struct unit_range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool empty() const noexcept { return first >= last; }
    std::uint32_t size() const noexcept { return last - first; }
};

// Work that invites its taker to the loop.
struct ticket : base::work {
    descriptor* of = nullptr;
    unsigned slot = 0;     // the slot it brings along; no_slot: any that is not taken
    unsigned recruit = 0;  // the taker also invites the designated workers of slots [slot + 1, recruit)
};

inline constexpr unsigned no_slot = ~0u;

struct alignas(base::cache_line) slot {
    std::atomic<std::uint64_t> range{0};  // unit_range
    std::atomic<bool> taken{false};       // has an owner, or its designated worker has been invited
    std::atomic<bool> arrived{false};     // its owner is here
    ticket invitation;                    // to the designated worker
    ticket spread[2];                     // pushed by the owner for workers that look for work
};

class descriptor {
public:
    // A descriptor with `slots` slots from the caller's pool; nullptr when there is no memory. The caller has the only reference.
    static descriptor* make(const request& r, unsigned slots) noexcept;

    // --- participants -----------------------------------------------------------------------------------------------
    // False when the loop is over.
    bool enter() noexcept
    {
        // acquire: pairs with the release of whoever made the ticket: the loop is seen as set up.
        return (state_.fetch_add(1, std::memory_order_acquire) & closed) == 0 || (leave(), false);
    }
    void leave() noexcept;

    // A slot for somebody who came by chance; no_slot when all are taken.
    unsigned take_slot() noexcept;
    unsigned take_slot(unsigned wanted) noexcept;  // that one or none

    // --- the caller -------------------------------------------------------------------------------------------------
    // No more participants; waits until the last one has left. Then the error, if any, is the caller's.
    void close() noexcept;
    // For a caller that does not take part: returns when all units have been run, or dropped.
    void await_others() noexcept;
    std::exception_ptr take_error() noexcept { return std::exchange(error_, nullptr); }

    void add_references(unsigned n) noexcept
    {
        references_.fetch_add(n, std::memory_order_relaxed);  // relaxed: the caller has one already
    }
    void drop_reference() noexcept;

    // --- algorithms -------------------------------------------------------------------------------------------------
    unsigned slots() const noexcept { return slots_; }
    slot& at(unsigned i) noexcept { return slot_array()[i]; }
    const request& asked() const noexcept { return *request_; }
    std::uint32_t grain_units() const noexcept { return grain_units_; }

    // Takes up to `most` units from the front of the own slot; empty when there are none.
    unit_range claim(unsigned own, std::uint32_t most) noexcept;
    // Takes everything in a slot.
    unit_range claim_all(unsigned from) noexcept;
    // Moves the back half (at least one unit) of `victim`'s units into the own, empty slot. False when there was nothing.
    bool steal_half(unsigned own, unsigned victim) noexcept;
    bool has_units(unsigned i) noexcept
    {
        // relaxed: a look; taking them decides.
        return !unpack(at(i).range.load(std::memory_order_relaxed)).empty();
    }

    std::uint32_t units_in(unsigned i) noexcept
    {
        const unit_range r = unpack(at(i).range.load(std::memory_order_relaxed));  // relaxed: a look
        return r.empty() ? 0 : r.size();
    }

    // Calls the body for these units. Exceptions are kept, and stop the loop.
    void run(unit_range units, unsigned participant) noexcept;

    // Whether the rest is to be dropped: after an exception or a request to stop.
    bool stopped() const noexcept
    {
        // relaxed: what is seen late only costs iterations that were allowed to run.
        return failed_.load(std::memory_order_relaxed) || (stoppable_ && request_->stop.stop_requested());
    }

    bool finished() const noexcept
    {
        // relaxed: a look that saves inviting others to a loop that is over.
        return (state_.load(std::memory_order_relaxed) & closed) != 0;
    }

    static constexpr unit_range unpack(std::uint64_t word) noexcept
    {
        return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
    }
    static constexpr std::uint64_t pack(unit_range r) noexcept { return static_cast<std::uint64_t>(r.first) << 32 | r.last; }

private:
    static constexpr std::uint32_t closed = 1u << 31;
    static constexpr std::uint32_t awaited = 1u << 30;  // the caller is suspended
    static constexpr std::uint32_t participants = awaited - 1;

    descriptor() noexcept = default;
    slot* slot_array() noexcept { return reinterpret_cast<slot*>(this + 1); }
    void fail() noexcept;

    alignas(base::cache_line) std::atomic<std::uint32_t> state_{0};  // closed | awaited | number of participants
    std::atomic<std::uint32_t> references_{1};
    alignas(base::cache_line) std::atomic<bool> failed_{false};
    bool stoppable_ = false;
    unsigned slots_ = 0;
    unsigned capacity_ = 0;
    std::uint32_t grain_units_ = 1;
    std::int64_t unit_ = 1;             // iterations in a unit
    const request* request_ = nullptr;  // in the caller's frame
    std::exception_ptr error_;          // written by who sets failed_, published by state_
    descriptor* next_ = nullptr;        // in the pool
    friend struct descriptor_pool;
};

}  // namespace artel::loop
