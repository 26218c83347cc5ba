// How the holder of a token falls asleep and gives the token up, so that a thread that brings work
// gets it.
//
// A holder that finds nothing announces that it is about to sleep (falling), and checks once more.
// Then it suspends, and on the next fiber's stack exchanges falling for asleep. A waker exchanges
// the state for poked, and has the token if the state was asleep.
//
// Both make a full fence (a common lock is enough): the waker between its work and its exchange,
// the holder between its announcement and its last check. So either the exchange finds falling or
// asleep, or the check finds the work. If it found falling, the holder's exchange fails, and it
// checks again. The thread that changes the word from asleep owns all that goes with it, so the
// holder touches nothing after it has written that. sleep_word_model.cpp.
#pragma once

#include "base/cpu.hpp"

#include <atomic>

namespace artel::sched {

class sleep_word {
public:
    // By the holder; afterwards it checks once more.
    void announce() noexcept
    {
        // relaxed: ordered by the fence.
        state_.store(falling, std::memory_order_relaxed);
        // store-buffering pair with the fence of a thread that brings work and then calls poke().
        base::full_fence();
    }
    // By the holder, which has found something or continues.
    void stay_awake() noexcept
    {
        // relaxed: the holder's own; an overwritten poke tells nothing to a holder that checks
        // anyway.
        state_.store(awake, std::memory_order_relaxed);
    }
    // By the holder on another stack. True: the token is asleep, and may be another's at once.
    // False: work has come meanwhile, and the caller still holds the token.
    bool fall_asleep() noexcept
    {
        unsigned expected = falling;
        // release: pairs with the acquire in poke(): what the holder leaves. acquire on failure:
        // the work that has come.
        return state_.compare_exchange_strong(expected, asleep, std::memory_order_release,
                                              std::memory_order_acquire);
    }
    // By a thread that has brought work and made a full fence since. True: the caller has the
    // token.
    bool poke() noexcept
    {
        // acquire: pairs with fall_asleep(). release: the work, for a fall_asleep() that fails.
        return state_.exchange(poked, std::memory_order_acq_rel) == asleep;
    }
    // relaxed: an estimate.
    bool is_asleep() const noexcept { return state_.load(std::memory_order_relaxed) == asleep; }

private:
    enum state : unsigned { awake, falling, asleep, poked };
    std::atomic<unsigned> state_{awake};
};

}  // namespace artel::sched
