// The two atomic words of a slot: its units and its ownership. Apart from the descriptor so that
// range_model.cpp runs this very code.
//
// A range [first, last) is one word. The owner takes units from the front, thieves the back half,
// both by compare-and-swap. The word is the slot's whole state, so a CAS that succeeds late is
// still right (no ABA problem). Only the owner of a slot puts units into it, and only when it is
// empty.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::loop {

// [first, last) in units of a running loop.
struct unit_range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool empty() const noexcept { return first >= last; }
    std::uint32_t size() const noexcept { return last - first; }
};

class range_word {
public:
    constexpr range_word() noexcept = default;

    // An estimate, except for the owner: its own slot stays empty once it is. relaxed: taking
    // decides.
    unit_range look() const noexcept { return unpack(word_.load(std::memory_order_relaxed)); }

    // Puts units into an empty slot; called by its owner.
    void put(unit_range units) noexcept
    {
        // relaxed: units carry no data; taken by CAS.
        word_.store(pack(units), std::memory_order_relaxed);
    }

    // Takes up to `most` units from the front; empty when there are none.
    unit_range claim(std::uint32_t most) noexcept
    {
        std::uint64_t now = word_.load(std::memory_order_relaxed);  // relaxed: the CAS decides
        for (;;) {
            const unit_range there = unpack(now);
            if (there.empty()) {
                return {};
            }
            const std::uint32_t end = there.size() <= most ? there.last : there.first + most;
            // relaxed: units carry no data but themselves; joining the loop has acquired its
            // set-up.
            if (word_.compare_exchange_weak(now, pack({end, there.last}),
                                            std::memory_order_relaxed)) {
                return {there.first, end};
            }
        }
    }

    // Takes the back half, or all if there are at most `whole_up_to`; empty when there are none.
    unit_range take_back_half(std::uint32_t whole_up_to) noexcept
    {
        std::uint64_t now = word_.load(std::memory_order_relaxed);  // relaxed: the CAS decides
        for (;;) {
            const unit_range there = unpack(now);
            if (there.empty()) {
                return {};
            }
            const std::uint32_t middle = there.size() <= whole_up_to
                                             ? there.first
                                             : there.first + there.size() / 2;
            // relaxed: as in claim.
            if (word_.compare_exchange_weak(now, pack({there.first, middle}),
                                            std::memory_order_relaxed)) {
                return {middle, there.last};
            }
        }
    }

    // For algorithms that leave the slots empty: the word as a lock on the slot's number. The
    // thread that alone knows the loop calls reset() first, since an empty slot can have any word.
    void reset() noexcept
    {
        if (word_.load(std::memory_order_relaxed) != 0) {  // relaxed, both: nobody else knows it
            word_.store(0, std::memory_order_relaxed);     // relaxed: as above
        }
    }
    bool lock() noexcept
    {
        std::uint64_t free = 0;
        // acquire: pairs with unlock(): earlier work under the number. relaxed on failure: not
        // ours.
        return word_.load(std::memory_order_relaxed) == 0 &&  // relaxed: a hint
               word_.compare_exchange_strong(free, 1, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }
    // release: pairs with lock().
    void unlock() noexcept { word_.store(0, std::memory_order_release); }

private:
    static constexpr unit_range unpack(std::uint64_t word) noexcept
    {
        return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
    }
    static constexpr std::uint64_t pack(unit_range r) noexcept
    {
        return static_cast<std::uint64_t>(r.first) << 32 | r.last;
    }

    std::atomic<std::uint64_t> word_{0};
};

// The ownership of a slot. Before a slot is free or offered, one thread is responsible for it: the
// caller, or a worker that was told to invite the workers of a range of slots (recruit.hpp). Only
// that one touches the slot then, so a share is handed out exactly once.
enum class ownership : std::uint8_t {
    reserved,  // its share is nowhere yet
    free,  // unowned: its share lies in it for everybody, and the next worker to come may own it
    // its share was offered to its designated worker, which brings it into the slot, or was
    // withdrawn.
    offered,
    owned  // by a worker that happened to come, or the caller
};

class ownership_word {
public:
    constexpr ownership_word() noexcept = default;
    // relaxed: a hint; take() acquires what lay_out() publishes.
    ownership look() const noexcept { return word_.load(std::memory_order_relaxed); }

    // Called by the thread that is responsible for the reserved slot. relaxed: nobody else touches
    // it.
    void mark(ownership as) noexcept { word_.store(as, std::memory_order_relaxed); }

    // Frees the slot for any worker: called by the responsible thread, with the share in it, or by
    // an owner that leaves. release: pairs with take(): the share, and all that was done under the
    // slot's number.
    void lay_out() noexcept { word_.store(ownership::free, std::memory_order_release); }

    // Takes a free slot for the caller.
    bool take() noexcept
    {
        ownership expected = ownership::free;
        // acquire: pairs with lay_out(). relaxed on failure: not ours.
        return look() == ownership::free &&
               word_.compare_exchange_strong(expected, ownership::owned, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }

private:
    std::atomic<ownership> word_{ownership::reserved};
};

// One counter of units from which all take, in ascending order.
class common_counter {
public:
    // relaxed: no other thread knows it.
    void reset() noexcept { next_.store(0, std::memory_order_relaxed); }
    // Whether anything is left of `units`. An estimate.
    bool has_units(std::uint32_t units) const noexcept
    {
        // relaxed: a guess
        return next_.load(std::memory_order_relaxed) < units;
    }

    // The next `most` of `units`, or fewer at the end; empty when none is left.
    unit_range take(std::uint32_t most, std::uint32_t units) noexcept
    {
        // relaxed: as range_word::claim. The counter passes the end by no more than `most` for each
        // participant.
        const std::uint64_t first = next_.fetch_add(most, std::memory_order_relaxed);
        if (first >= units) {
            return {};
        }
        const std::uint64_t end = first + most;
        return {static_cast<std::uint32_t>(first),
                end < units ? static_cast<std::uint32_t>(end) : units};
    }

    // The same, 1/`parts` of what is left, rounded up, but at least `least`.
    unit_range take_part(std::uint32_t parts, std::uint32_t least, std::uint32_t units) noexcept
    {
        std::uint64_t now = next_.load(std::memory_order_relaxed);  // relaxed: the CAS decides
        for (;;) {
            if (now >= units) {
                return {};
            }
            const std::uint64_t left = units - now;
            const std::uint64_t part = (left + parts - 1) / parts;
            const std::uint64_t most = part > least ? part : least;
            const std::uint64_t end = most < left ? now + most : units;
            // relaxed: as range_word::claim.
            if (next_.compare_exchange_weak(now, end, std::memory_order_relaxed)) {
                return {static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(end)};
            }
        }
    }

private:
    std::atomic<std::uint64_t> next_{0};
};

}  // namespace artel::loop
