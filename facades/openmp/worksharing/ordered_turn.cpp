// A member that gives up spinning marks the word of its index (bit 0), checks the turn once more
// and sleeps on the word. The member that passes the turn on stores it, then checks the word. Each
// side makes a full fence between its two steps, so that one of them sees the other.
//
// A place keeps its turn until a later index with the same place gets one, for which the member
// whose turn it was must have passed it on: so no waiter misses its own.
#include "ordered_turn.hpp"

#include "sched/wait_word.hpp"
#include "team/team.hpp"
#include "waiting/spin.hpp"

#include <algorithm>
#include <bit>

namespace artel::openmp {

ordered_turns::place& ordered_turns::place_of(std::uint64_t index) noexcept
{
    // Multiplication by 2^64 / golden ratio spreads the multiples of any chunk size over the upper
    // bits.
    return places_[(index * 0x9e3779b97f4a7c15u) >> shift_];
}

void ordered_turns::begin(unsigned size) noexcept
{
    const unsigned used = std::min(std::bit_ceil(std::max(size, 2u)), most_places);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(used));
    for (unsigned i = 0; i < used; ++i) {
        places_[i].turn.store(0, std::memory_order_relaxed);  // relaxed: published with the slot
    }
}

void ordered_turns::await(std::uint64_t low) noexcept
{
    place& mine = place_of(low);
    // acquire: pairs with the release in pass(), so the earlier ordered regions are seen.
    const auto arrived = [&] { return mine.turn.load(std::memory_order_acquire) == low; };
    if (arrived() || spin_for_members(arrived, member_spin())) {
        return;
    }
    for (;;) {
        // relaxed: the fence orders; see above.
        const std::uint32_t marked = mine.word.fetch_or(1, std::memory_order_relaxed) | 1;
        base::full_fence();
        if (arrived()) {
            return;
        }
        sched::wait_word(mine.word, marked);
    }
}

void ordered_turns::pass(std::uint64_t next) noexcept
{
    place& its = place_of(next);
    // release: pairs with the acquire in await().
    its.turn.store(next, std::memory_order_release);
    base::full_fence();
    // relaxed, both: the fence orders; see above. Others only set the mark, so the addition clears
    // it and loses nothing: a member that marks later checks the turn later.
    const std::uint32_t seen = its.word.load(std::memory_order_relaxed);
    if ((seen & 1) != 0) {
        its.word.fetch_add(1, std::memory_order_relaxed);
        sched::wake_word(its.word, sched::wake_all);
    }
}

}  // namespace artel::openmp
