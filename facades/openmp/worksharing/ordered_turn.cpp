// A waiter marks the word that its index selects (bit 0), checks the turn once more and sleeps on
// the word. The member that passes the turn on stores it, then checks the word of the next index.
// Each side makes a full fence between its two steps, so that one of them sees the other. Words are
// chosen by a hash of the index, so usually only the member whose turn it is wakes up.
#include "ordered_turn.hpp"

#include "base/cpu.hpp"
#include "sched/wait_word.hpp"
#include "waiting/spin.hpp"

namespace artel::openmp {

namespace {

std::atomic<std::uint32_t>& word_of(workshare_slot& slot, std::uint64_t index) noexcept
{
    // Multiplication by 2^64 / golden ratio spreads the multiples of any chunk size over the upper
    // bits.
    return slot.turn_words[(index * 0x9e3779b97f4a7c15u) >> 60];
}

}  // namespace

void await_turn(workshare_slot& slot, std::uint64_t low) noexcept
{
    // acquire: pairs with the release in pass_turn, so the earlier ordered regions are seen.
    const auto arrived = [&] { return slot.turn.load(std::memory_order_acquire) == low; };
    if (arrived() || spin_until(arrived)) {
        return;
    }
    std::atomic<std::uint32_t>& word = word_of(slot, low);
    for (;;) {
        // relaxed: the fence orders; see above.
        const std::uint32_t marked = word.fetch_or(1, std::memory_order_relaxed) | 1;
        base::full_fence();
        if (arrived()) {
            return;
        }
        sched::wait_word(word, marked);
    }
}

void pass_turn(workshare_slot& slot, std::uint64_t next) noexcept
{
    // release: pairs with the acquire in await_turn.
    slot.turn.store(next, std::memory_order_release);
    base::full_fence();
    std::atomic<std::uint32_t>& word = word_of(slot, next);
    // relaxed, both: the fence orders; see above. Others only set the mark, so the addition clears
    // it and loses nothing: a member that marks later checks the turn later.
    const std::uint32_t seen = word.load(std::memory_order_relaxed);
    if ((seen & 1) != 0) {
        word.fetch_add(1, std::memory_order_relaxed);
        sched::wake_word(word, sched::wake_all);
    }
}

}  // namespace artel::openmp
