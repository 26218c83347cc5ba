// A running loop: the shares of its iterations, its participants, and its end.
//
// Speed. A worker that looks for work gets its share in an offer (sched/offer.hpp). Between the
// caller's decision and the worker's first iteration lie the offer's line, the body's context, and
// the data that the body reads. All else is arranged so that repeated loops find it in their
// caches: fields that participants read are written only if they change, and the worker itself
// moves a share from the offer into the slot.
//
// Slots. The iterations, in at most 2^31 units, are dealt out to one slot per participant: each a
// range in one atomic word (range_word.hpp, range_model.cpp), on a cache line of its own. A slot is
// taken by its designated worker or by another one that happens to come; the taker is the
// participant of that number.
//
// Life. A descriptor comes from a pool and is reference-counted: the caller holds one reference,
// and each ticket (queued work that makes its taker take part) one. A ticket may be taken long
// after the loop's end; its taker then finds the loop closed and drops the reference. So the caller
// never waits for tickets, only for participants: enter() and leave() count those, and close()
// admits no more. The body and its context live in the caller's frame and are used between enter()
// and leave() only. The caller enters the loop on behalf of all workers that may get offers: with
// an offer go the entries of its worker and of those that it is to invite, so that passing them on
// writes nothing that all share. An offer that was not taken is withdrawn, with its share and its
// entries, by the first participant that runs out of work.
//
// No iteration is lost: the caller closes the loop when it has found all slots empty. Units are
// then in no slot, except those that a thief has just taken out of one and not yet put into its
// own; that thief is a participant, and runs them before it leaves.
//
// Rejected: a descriptor on the caller's stack. Tickets in inboxes cannot be withdrawn, so every
// loop would end only after the slowest invited worker has looked at its mail, in the worst case a
// time slice of the kernel later.
#pragma once

#include "base/cpu.hpp"
#include "loop/loop.hpp"
#include "loop/site.hpp"
#include "loop/slot.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

namespace artel::loop {

class descriptor {
public:
    // A descriptor with `slots` slots from the caller's pool; nullptr when there is no memory. The
    // caller has the only reference.
    static descriptor* make(const request& r, unsigned slots) noexcept;

    // --- participants ----------------------------------------------------------------------------
    // False when the loop is over.
    bool enter() noexcept
    {
        // acquire: pairs with the release that published the ticket: the loop is seen as set up.
        return (state_.fetch_add(1, std::memory_order_acquire) & closed) == 0 || (leave(), false);
    }
    // Ends as many participations, of workers that have done their part or will not come.
    void leave(unsigned entries = 1) noexcept;
    // Called by a participant other than the caller, before it leaves. relaxed: leave() publishes
    // it.
    void note_arrival() noexcept { somebody_came_.store(true, std::memory_order_relaxed); }
    // Whether any did; called by the caller after close(). relaxed: see there.
    bool somebody_came() const noexcept { return somebody_came_.load(std::memory_order_relaxed); }

    // Enters the loop on behalf of workers that are about to get offers. Called before the first
    // offer or ticket, when only the caller knows the loop: so it waits for no cache line. relaxed:
    // the offer publishes it.
    void enter_for_others(unsigned workers) noexcept
    {
        state_.store(workers, std::memory_order_relaxed);
    }

    // A slot for a worker that happens to come; no_slot when all are taken.
    unsigned take_slot() noexcept;
    ownership ownership_of(unsigned i) noexcept { return ownerships()[i].look(); }

    // Called by the thread that is responsible for the reserved slot.
    void mark(unsigned i, ownership as) noexcept { ownerships()[i].mark(as); }
    void lay_out(unsigned i) noexcept  // frees the slot, with its share, for any worker
    {
        put(i, share(i));
        give_up_slot(i);
    }
    // The participant leaves a loop in which others may need help again. Its slot may have units
    // only after a stop.
    void give_up_slot(unsigned own) noexcept
    {
        ownerships()[own].lay_out();
        free_.fetch_add(1, std::memory_order_relaxed);  // relaxed: a hint
    }
    // Whether any slot but `own` has, or expects, a participant. An estimate.
    bool others_at_work(unsigned own) noexcept;
    // relaxed: a hint.
    bool any_free() const noexcept { return free_.load(std::memory_order_relaxed) > 0; }

    // --- the caller ------------------------------------------------------------------------------
    // Admits no more participants, and waits until the last one has left. Then the error, if any,
    // is the caller's (take_error).
    void close() noexcept;
    // For a caller that does not take part: returns when all units have been run or dropped.
    void await_others() noexcept;
    // Empties all slots, after close(): a stopped loop may have units left, and the next loop
    // expects none.
    void clear() noexcept
    {
        for (unsigned i = 0; i < slots_; ++i) {
            put(i, {});
        }
    }
    std::exception_ptr take_error() noexcept { return std::exchange(error_, nullptr); }

    // The slot that counts as the caller's (slot 0 when the caller takes no part). Algorithms that
    // start from one slot give it all units. Called before any other thread knows the loop.
    void begin_with(unsigned slot) noexcept
    {
        if (first_slot_ != slot) {
            first_slot_ = slot;
        }
    }

    // The memory of the call site that the loop comes from. Called before any other thread knows
    // the loop.
    void remember_in(site* memory) noexcept
    {
        if (site_ != memory) {
            site_ = memory;
        }
    }

    void add_references(unsigned n) noexcept
    {
        references_.fetch_add(n, std::memory_order_relaxed);  // relaxed: the caller has one already
    }
    void drop_reference() noexcept;

    // --- algorithms ------------------------------------------------------------------------------
    unsigned slots() const noexcept { return slots_; }
    slot& at(unsigned i) noexcept { return slot_array()[i]; }
    const request& asked() const noexcept { return *request_; }
    const algorithm& how() const noexcept { return *how_; }
    void participate(unsigned own, unit_range mine) noexcept
    {
        const sched::within_width inside(within_);
        how_->participate(*this, own, mine);
    }
    void* context() const noexcept { return context_; }
    loop_offer& offer() noexcept { return offer_; }
    std::uint32_t grain_units() const noexcept { return grain_units_; }
    site* memory() const noexcept { return site_; }  // nullptr: nothing is learned
    bool is_callers(unsigned i) const noexcept { return i == first_slot_; }
    std::uint64_t iterations_in(unit_range units) const noexcept
    {
        return units.size() * static_cast<std::uint64_t>(unit_);
    }
    // Units that take about this many cycles at the start of a participant, at least the grain.
    std::uint32_t first_units(std::uint64_t cycles) const noexcept
    {
        if (site_ == nullptr || unit_ != 1) {
            return grain_units_;
        }
        return std::max(grain_units_, site_->first.worth(cycles));
    }

    // The units of slot i at the start.
    unit_range share(unsigned i) const noexcept;
    // The equal share of number i, whatever the algorithm.
    unit_range equal_share(unsigned i) const noexcept;
    // Puts units into an empty slot; called by its owner or the thread responsible for it.
    void put(unsigned own, unit_range units) noexcept { at(own).range.put(units); }

    // Takes up to `most` units from the front of the own slot; empty when there are none.
    unit_range claim(unsigned own, std::uint32_t most) noexcept
    {
        return at(own).range.claim(most);
    }
    // Takes everything in a slot.
    unit_range claim_all(unsigned from) noexcept { return claim(from, ~0u); }
    // Moves the back half of `victim`'s units, or all if there are at most `whole_up_to`, into the
    // own, empty slot. False when there was nothing.
    bool steal(unsigned own, unsigned victim, std::uint32_t whole_up_to) noexcept
    {
        const unit_range stolen = at(victim).range.take_back_half(whole_up_to);
        if (!stolen.empty()) {
            put(own, stolen);
        }
        return !stolen.empty();
    }
    // Takes from the common counter (layout::common).
    unit_range take_common(std::uint32_t most) noexcept { return common_.take(most, units_); }
    unit_range take_part_of_common(std::uint32_t parts, std::uint32_t least) noexcept
    {
        return common_.take_part(parts, least, units_);
    }

    bool has_units(unsigned i) noexcept { return !at(i).range.look().empty(); }
    std::uint32_t units_in(unsigned i) noexcept
    {
        const unit_range r = at(i).range.look();
        return r.empty() ? 0 : r.size();
    }

    // Participants' numbers for algorithms that leave the slots empty (tree.hpp). All are free at
    // first: the caller calls free_numbers() before any other thread knows the loop.
    void free_numbers() noexcept
    {
        for (unsigned i = 0; i < slots_; ++i) {
            at(i).range.reset();
        }
    }
    bool take_number(unsigned i) noexcept { return at(i).range.lock(); }
    void give_number(unsigned i) noexcept { at(i).range.unlock(); }

    // Calls the body for these units. An exception is kept, and stops the loop.
    void run(unit_range units, unsigned participant) noexcept;
    // The same outside of participate().
    void run_apart(unit_range units, unsigned participant) noexcept
    {
        const sched::within_width inside(within_);
        run(units, participant);
    }

    // Whether the rest must be dropped: after an exception or a request to stop.
    bool stopped() const noexcept
    {
        // relaxed: seen late it only costs iterations that were allowed to run.
        return failed_.load(std::memory_order_relaxed) ||
               (stoppable_ && request_->stop.stop_requested());
    }

    bool finished() const noexcept
    {
        // relaxed: a check that saves inviting others to a finished loop.
        return (state_.load(std::memory_order_relaxed) & closed) != 0;
    }

private:
    static constexpr std::uint32_t closed = 1u << 31;
    static constexpr std::uint32_t awaited = 1u << 30;  // the caller is suspended
    static constexpr std::uint32_t participants = awaited - 1;

    descriptor() noexcept = default;
    slot* slot_array() noexcept { return reinterpret_cast<slot*>(this + 1); }
    ownership_word* ownerships() noexcept
    {
        return reinterpret_cast<ownership_word*>(slot_array() + capacity_);
    }
    void fail() noexcept;
    bool announce_waiter(std::uint32_t now) noexcept;

    // Frequently written, by the caller and by those that join and leave. closed | awaited | number
    // of participants.
    alignas(base::cache_line) std::atomic<std::uint32_t> state_{closed};
    std::atomic<std::uint32_t> references_{1};
    std::atomic<int> free_{0};  // slots without an owner
    std::atomic<bool> somebody_came_{false};
    std::exception_ptr error_;    // written by the thread that sets failed_, published by state_
    descriptor* next_ = nullptr;  // in the pool

    // Read by all participants, and written only when changed. Two loops from the same call site
    // usually agree in all of it.
    alignas(base::cache_line) loop_offer offer_;
    std::atomic<bool> failed_{false};
    bool stoppable_ = false;
    bool may_be_empty_ = false;  // the caller may wait, in await_others(), without any participant
    unsigned slots_ = 0;
    std::uint32_t grain_units_ = 1;
    std::uint32_t units_ = 0;
    unsigned first_slot_ = 0;
    std::int64_t unit_ = 1;  // iterations in a unit
    std::int64_t begin_ = 0;
    std::int64_t end_ = 0;
    range_body body_ = nullptr;
    void* context_ = nullptr;
    const request* request_ = nullptr;  // in the caller's frame
    const algorithm* how_ = nullptr;
    artel::detail::width_budget* within_ = nullptr;
    site* site_ = nullptr;
    unsigned capacity_ = 0;

    // Frequently written, in loops that share one counter.
    alignas(base::cache_line) common_counter common_;
    friend struct descriptor_pool;
};

}  // namespace artel::loop
