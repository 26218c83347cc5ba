// A lock for critical sections of a few instructions that never block, switch fibers or call
// foreign code. Spins, then gives its time slice away, so that a preempted holder (more threads
// than cores) can run. Not recursive.
#pragma once

#include "base/cpu.hpp"
#include "base/os/yield.hpp"

#include <atomic>

namespace artel::base {

// Waits while `held` returns true.
template <class Held>
void spin_while(Held&& held) noexcept
{
    unsigned spins = 0;
    while (held()) {
        if (++spins < 64) {
            cpu_relax();
        } else {
            os::yield();
        }
    }
}

class spinlock {
public:
    void lock() noexcept
    {
        // acquire: pairs with the release in unlock(), so the holder before us has finished its
        // section.
        while (locked_.exchange(true, std::memory_order_acquire)) {
            // relaxed: only a hint when to try again; the exchange above decides.
            spin_while([this] { return locked_.load(std::memory_order_relaxed); });
        }
    }
    bool try_lock() noexcept
    {
        // acquire: as in lock().
        return !locked_.exchange(true, std::memory_order_acquire);
    }
    // release: publishes the section to the next lock().
    void unlock() noexcept { locked_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> locked_{false};
};

}  // namespace artel::base
