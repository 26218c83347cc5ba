// The slots of the crew's table that have a thread. Sweeps over the workers use this set, so they
// take time proportional to the threads that now use the crew, however many there ever were: a slot
// is never freed, because others may still hold its address, but that of a thread that has ended is
// in no sweep, and the lowest such slot goes to the next new thread.
//
// One bit for each slot in words, and one for each word in a summary: a sweep over 4096 slots reads
// one word and the words that are not empty. Changes are made one at a time, under the crew's lock;
// any thread may sweep meanwhile. A slot that is in the set all the time is visited. One that is
// inserted meanwhile is visited by sweeps that begin after a fence that follows its insert(), which
// is all that the idle protocol needs (PROTOCOLS.md, lemma 1): a new thread's fence in notify()
// comes after it.
//
// Rejected: a dense array of the present workers. Taking one out moves another to its place, and a
// sweep that has passed that place but not yet reached the end misses it.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace artel::sched {

template <unsigned capacity>
class slot_set {
public:
    static constexpr unsigned none = ~0u;

    // Called under the lock that orders changes.
    void insert(unsigned i) noexcept
    {
        std::atomic<std::uint64_t>& word = words_[i / 64];
        // relaxed: only we write now. release: pairs with the acquire in from(), so the slot's
        // worker is seen as it was made.
        word.store(word.load(std::memory_order_relaxed) | bit(i), std::memory_order_release);
        // relaxed: as above. release: as above.
        summary_.store(summary_.load(std::memory_order_relaxed) | bit(i / 64),
                       std::memory_order_release);
    }

    // Called under the same lock.
    void erase(unsigned i) noexcept
    {
        std::atomic<std::uint64_t>& word = words_[i / 64];
        // relaxed (all): only we write now, and a sweep that sees it late visits a slot with
        // nothing in it.
        const std::uint64_t left = word.load(std::memory_order_relaxed) & ~bit(i);
        word.store(left, std::memory_order_relaxed);  // relaxed: as above
        if (left == 0) {
            // relaxed: as above.
            summary_.store(summary_.load(std::memory_order_relaxed) & ~bit(i / 64),
                           std::memory_order_relaxed);
        }
    }

    // relaxed: a hint.
    bool contains(unsigned i) const noexcept
    {
        return (words_[i / 64].load(std::memory_order_relaxed) & bit(i)) != 0;
    }

    // The first member that is not less than i (at most capacity); `none` if there is none.
    unsigned from(unsigned i) const noexcept
    {
        if (i < capacity) {
            // acquire (both): pairs with insert().
            const std::uint64_t here = words_[i / 64].load(std::memory_order_acquire) &
                                       (~std::uint64_t{0} << i % 64);
            if (here != 0) {
                return i / 64 * 64 + static_cast<unsigned>(std::countr_zero(here));
            }
            std::uint64_t others = summary_.load(std::memory_order_acquire);
            others &= i / 64 == 63 ? 0 : ~std::uint64_t{0} << (i / 64 + 1);
            for (; others != 0; others &= others - 1) {
                const auto next = static_cast<unsigned>(std::countr_zero(others));
                // acquire: as above. Empty when its last member has just been taken out.
                if (const std::uint64_t word = words_[next].load(std::memory_order_acquire);
                    word != 0) {
                    return next * 64 + static_cast<unsigned>(std::countr_zero(word));
                }
            }
        }
        return none;
    }

    // Calls visit(i) for each member once, from `start` (at most capacity) to the last and from the
    // first to `start`, until it returns true. Returns whether it did.
    template <class Visit>
    bool any_from(unsigned start, Visit&& visit) const noexcept
    {
        for (unsigned i = from(start); i != none; i = from(i + 1)) {
            if (visit(i)) {
                return true;
            }
        }
        for (unsigned i = from(0); i < start; i = from(i + 1)) {
            if (visit(i)) {
                return true;
            }
        }
        return false;
    }

private:
    static_assert(capacity <= 64 * 64);
    static constexpr std::uint64_t bit(unsigned i) noexcept { return std::uint64_t{1} << i % 64; }

    std::array<std::atomic<std::uint64_t>, (capacity + 63) / 64> words_{};
    std::atomic<std::uint64_t> summary_{0};
};

}  // namespace artel::sched
