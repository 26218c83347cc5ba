// The turns that callers of OpenBLAS take (blas.hpp).
#pragma once

#include "sched/wait_word.hpp"
#include "waiting/lock_word.hpp"
#include "waiting/spin.hpp"

#include <atomic>

namespace artel::openmp {

// A turn lasts from before a region of OpenBLAS begins until it has ended. Nobody has to wait in a
// queue, because who is woken needs as long to begin as some regions take; but who is next and has
// been passed by several times closes the door to others, or a thread with one call after the other
// would keep the turn for seconds.
class turns {
public:
    // A guess, but for who has the turn.
    bool taken() const noexcept { return held_.load(std::memory_order_relaxed) != 0; }

    // Switches.
    void take() noexcept
    {
        // relaxed, all accesses of passed_over_: one more or less who passes by.
        if (!passed_over_.load(std::memory_order_relaxed) && try_lock(held_)) {
            return;
        }
        lock(next_);
        for (unsigned failed = 0; !spin_until([&] { return !taken(); }) || !try_lock(held_);
             ++failed) {
            if (failed == patience) {
                passed_over_.store(true, std::memory_order_relaxed);
            }
            // acquire: pairs with the release in unlock(). 2: somebody waits.
            if (held_.exchange(2, std::memory_order_acquire) == 0) {
                break;
            }
            sched::wait_word(held_, 2);
        }
        passed_over_.store(false, std::memory_order_relaxed);
        unlock(next_);
    }

    void give_back() noexcept { unlock(held_); }

    // In the child of a fork, which has one thread. Whether somebody had the turn.
    bool reset() noexcept
    {
        next_.store(0, std::memory_order_relaxed);  // relaxed, both: see above
        passed_over_.store(false, std::memory_order_relaxed);
        return held_.exchange(0, std::memory_order_relaxed) != 0;  // relaxed: as above
    }

private:
    static constexpr unsigned patience = 4;
    lock_word held_{0};
    lock_word next_{0};  // held by who waits for held_; others wait for this one
    std::atomic<bool> passed_over_{false};
};
}  // namespace artel::openmp
