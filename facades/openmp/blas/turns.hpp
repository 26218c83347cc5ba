// The turns that callers of OpenBLAS take (blas.hpp).
#pragma once

#include "sched/wait_word.hpp"
#include "waiting/lock_word.hpp"
#include "waiting/spin.hpp"

#include <atomic>

namespace artel::openmp {

// A turn lasts from before a region of OpenBLAS begins until it has ended. There is no strict
// queue, because a woken thread needs as long to start as some regions take. But a waiter that
// others have overtaken several times stops newcomers; otherwise a thread that makes one call after
// the other would keep the turn for seconds.
class turns {
public:
    // An estimate, except for the holder.
    bool taken() const noexcept { return held_.load(std::memory_order_relaxed) != 0; }

    // Switches.
    void take() noexcept
    {
        // relaxed, all accesses of passed_over_: one newcomer more or less does no harm.
        if (!passed_over_.load(std::memory_order_relaxed) && try_lock(held_)) {
            return;
        }
        lock(next_);
        for (unsigned failed = 0; !spin_until([&] { return !taken(); }) || !try_lock(held_);
             ++failed) {
            if (failed == most_failures) {
                passed_over_.store(true, std::memory_order_relaxed);
            }
            // acquire: pairs with the release in unlock(). 2: held, with a waiter.
            if (held_.exchange(2, std::memory_order_acquire) == 0) {
                break;
            }
            sched::wait_word(held_, 2);
        }
        passed_over_.store(false, std::memory_order_relaxed);
        unlock(next_);
    }

    void give_back() noexcept { unlock(held_); }

    // In the child of a fork, which has one thread. Returns whether the turn was held.
    bool reset() noexcept
    {
        next_.store(0, std::memory_order_relaxed);  // relaxed, both: see above
        passed_over_.store(false, std::memory_order_relaxed);
        return held_.exchange(0, std::memory_order_relaxed) != 0;  // relaxed: as above
    }

private:
    // Failed tries of the first waiter before newcomers are stopped.
    static constexpr unsigned most_failures = 4;
    lock_word held_{0};
    lock_word next_{0};  // held by the first waiter for held_; the others wait for this one
    std::atomic<bool> passed_over_{false};
};
}  // namespace artel::openmp
