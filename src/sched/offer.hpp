// The fastest way to give a worker something to do: whoever wants help writes into the one cache line that a worker without work looks at. One
// line goes over and the work has begun; an inbox costs five (its head, the item, the idle flag, two counters).
//
//   state:  closed -> open -> filling -> full -> closed        (the worker opens; an offerer fills; the worker takes)
//           open -> closed                                     (the worker has found something else)
//           full -> filling -> open                            (the offerer withdraws: the worker has not come)
//
// Only the worker opens and takes; `filling` is the exclusive right to write the contents, held for a few nanoseconds. An offer is withdrawn by
// whoever made it, so nobody has to wait for a worker that the kernel has put aside.
//
// Sleeping: an offerer makes a full fence after the offer and then wakes the worker if it is parked; the worker looks at the line after it has
// announced that it parks (parker.hpp). So either the worker sees the offer or the offerer sees it parked.
#pragma once

#include "base/cpu.hpp"
#include "base/work.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace artel::sched {

class alignas(base::cache_line) offer_line {
public:
    // What an offer says besides the function to run: plain words, to be copied out before the worker opens the line again.
    using words = std::array<std::uint64_t, 4>;

    // --- the worker -------------------------------------------------------------------------------------------------
    // From now on offers may come.
    void open() noexcept { state_.store(opened, std::memory_order_release); }  // release: the last offer's contents have been read

    // Whether there is something in the line, or about to be.
    bool waits() const noexcept
    {
        base::prefetch_for_writing(this);                          // whoever polls here takes next: the line comes over once
        return state_.load(std::memory_order_relaxed) >= filling;  // relaxed: a look; take() orders
    }

    // Takes the offer: work to be run now. nullptr when it has been withdrawn; then the line is open.
    base::work* take() noexcept
    {
        for (;;) {
            std::uint32_t now = state_.load(std::memory_order_relaxed);  // relaxed: a look; the CAS orders
            if (now == opened) {
                return nullptr;
            }
            // Meanwhile the CAS brings this line over for writing.
            __builtin_prefetch(reinterpret_cast<const void*>(words_[0].load(std::memory_order_relaxed)));  // relaxed: a hint
            __builtin_prefetch(reinterpret_cast<const void*>(words_[1].load(std::memory_order_relaxed)));  // relaxed: a hint
            // acquire: pairs with the release in make(). relaxed on failure: tried again.
            if (now == full && state_.compare_exchange_strong(now, closed, std::memory_order_acquire, std::memory_order_relaxed)) {
                return &item_;
            }
        }
    }

    // No more offers, because the worker has something else to do. False when an offer was faster: it must be taken.
    bool close() noexcept
    {
        std::uint32_t expected = opened;
        // acquire: pairs with the release in withdraw(): an offer that came and went has been written before the next one is. relaxed on
        // failure: take() follows.
        return state_.compare_exchange_strong(expected, closed, std::memory_order_acquire, std::memory_order_relaxed);
    }

    // --- whoever wants help -----------------------------------------------------------------------------------------
    // Makes an offer if the worker looks for work. words[0] and words[1] may be addresses of what the work will read first, and words[0]
    // identifies the offer among those that may be made at the same time. The worker may have to be woken: offer() in crew.hpp.
    bool make(base::work::function run, const words& contents) noexcept
    {
        std::uint32_t expected = opened;
        // relaxed: a look that saves taking the line from its worker for nothing.
        if (state_.load(std::memory_order_relaxed) != opened) {
            return false;
        }
        // acquire: pairs with the release in open(): the worker has read the last offer. relaxed on failure: no offer.
        if (!state_.compare_exchange_strong(expected, filling, std::memory_order_acquire, std::memory_order_relaxed)) {
            return false;
        }
        item_.run = run;
        for (std::size_t i = 0; i < contents.size(); ++i) {
            words_[i].store(contents[i], std::memory_order_relaxed);  // relaxed: published by the release below
        }
        state_.store(full, std::memory_order_release);  // release: pairs with take()
        return true;
    }

    // Brings the line over for a make() that is to come.
    void prepare() const noexcept { base::prefetch_for_writing(this); }

    // Whether the worker looks for work. A guess.
    bool is_open() const noexcept { return state_.load(std::memory_order_relaxed) == opened; }  // relaxed: a guess by contract

    // Whether an offer with this words[0] still waits. A guess.
    bool holds(std::uint64_t first_word) const noexcept
    {
        // relaxed (two): a guess by contract.
        return state_.load(std::memory_order_relaxed) == full && words_[0].load(std::memory_order_relaxed) == first_word;
    }

    // Takes an offer with this words[0] back, and tells what it said. False when the worker has taken it.
    bool withdraw(std::uint64_t first_word, words& said) noexcept
    {
        std::uint32_t expected = full;
        // acquire: pairs with the release in make(), which may have been another's. relaxed on failure: it is gone.
        if (!holds(first_word) ||
            !state_.compare_exchange_strong(expected, filling, std::memory_order_acquire, std::memory_order_relaxed)) {
            return false;
        }
        said = contents();
        const bool ours = said[0] == first_word;
        state_.store(ours ? opened : full, std::memory_order_release);  // release: as in make() and open()
        return ours;
    }

    // What the offer says: for the work, between take() and the next open().
    words contents() const noexcept
    {
        words copy{};
        for (std::size_t i = 0; i < copy.size(); ++i) {
            copy[i] = words_[i].load(std::memory_order_relaxed);  // relaxed: acquired by take()
        }
        return copy;
    }

private:
    static constexpr std::uint32_t closed = 0;
    static constexpr std::uint32_t opened = 1;
    static constexpr std::uint32_t filling = 2;
    static constexpr std::uint32_t full = 3;

    // One line of 64 bytes.
    std::atomic<std::uint32_t> state_{closed};
    base::work item_;
    std::array<std::atomic<std::uint64_t>, 4> words_{};
};
static_assert(base::modelled || sizeof(std::atomic<std::uint32_t>) + sizeof(base::work) + 4 * sizeof(std::uint64_t) <= 64);

}  // namespace artel::sched
