// How somebody who holds a token falls asleep and gives it up, so that whoever brings work has it.
//
// The holder that finds nothing announces that it is about to sleep (falling), and looks once more.
// Then it suspends, and on the next fiber's stack exchanges falling for asleep. A waker exchanges
// whatever it finds for poked, and has the token if that was asleep.
//
// Between its work and that exchange the waker, and between its announcement and its last look the
// holder, make a full fence; a common lock does, too. So either the exchange finds falling or
// asleep, or the look finds the work. Found falling, the holder's exchange fails, and it looks
// again. Whoever changes the word from asleep owns all that goes with it, so the holder touches
// nothing once it has written that. sleep_word_model.cpp.
#pragma once

#include "base/cpu.hpp"

#include <atomic>

namespace artel::sched {

class sleep_word {
public:
    // By the holder; afterwards it looks once more.
    void announce() noexcept
    {
        // relaxed: ordered by the fence.
        state_.store(falling, std::memory_order_relaxed);
        // store-buffering pair with the fence of whoever brings something and then calls poke().
        base::full_fence();
    }
    // By the holder, who has found something or goes on.
    void stay_awake() noexcept
    {
        // relaxed: the holder's own; a poke that is overwritten has nothing to tell to one that
        // looks.
        state_.store(awake, std::memory_order_relaxed);
    }
    // By the holder on another stack. True: it is asleep, and somebody else's. False: somebody has
    // brought something meanwhile, and the caller still holds it.
    bool fall_asleep() noexcept
    {
        unsigned expected = falling;
        // release: pairs with the acquire in poke(): what the holder leaves. acquire when it fails:
        // what has been brought.
        return state_.compare_exchange_strong(expected, asleep, std::memory_order_release,
                                              std::memory_order_acquire);
    }
    // By whoever has brought something and made a full fence since. True: the caller has the token.
    bool poke() noexcept
    {
        // acquire: pairs with fall_asleep(). release: what has been brought, for its failure.
        return state_.exchange(poked, std::memory_order_acq_rel) == asleep;
    }
    // relaxed: a moment's view.
    bool is_asleep() const noexcept { return state_.load(std::memory_order_relaxed) == asleep; }

private:
    enum state : unsigned { awake, falling, asleep, poked };
    std::atomic<unsigned> state_{awake};
};

}  // namespace artel::sched
